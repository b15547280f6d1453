// A block of SIDE × SIDE residues swept by its pivots: which they are, and the inverse of the part that they span.
//
// One workgroup, an invocation for 4 rows × 4 columns, kept in registers. Column by column the first row without pivot
// that is not 0 there becomes the pivot's, and both change sides: with y = M·x, x_j comes to the left and y_i to the
// right, Gauss-Jordan in place. At the end block[i][j], i and j of pivots, is the inverse of the pivots' part with rows
// and columns exchanged. What is beyond the matrix is 0. block: SIDE words, the row of each column's pivot or SIDE,
// then the block itself.
struct Params { rows: u32, stride: u32, row: u32, column: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> matrix: array<u32>;
@group(0) @binding(2) var<storage, read_write> block: array<u32>;
override SIDE: u32; // 64

var<workgroup> pivots: array<atomic<u32>, SIDE>;
// Of two columns in turn, so that the next may be written while this one is read.
var<workgroup> column: array<u32, 2u * SIDE>;
var<workgroup> row: array<vec4<u32>, SIDE / 2u>;

fn load_row(i: u32, tx: u32) -> vec4<u32> {
  let at = params.row + i;
  if (at >= params.rows) { return vec4<u32>(0u); }
  var four: vec4<u32>;
  for (var k = 0u; k < 4u; k++) {
    let j = params.column + 4u * tx + k;
    four[k] = residue(matrix[at * params.stride + j / RESIDUES], j);
  }
  return four;
}

// A row after the exchange: u is the pivot's, whose column j is `lane` of this invocation, or of none (4).
fn sweep_row(m: vec4<u32>, u: vec4<u32>, f: u32, own: bool, lane: u32) -> vec4<u32> {
  if (own) { return u; }
  let others = select(m, vec4<u32>(0u), vec4<u32>(0u, 1u, 2u, 3u) == vec4<u32>(lane));
  return difference(others, times(lift(u), f));
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(local_invocation_index) local: u32) {
  let tx = local % (SIDE / 4u);
  let first = 4u * (local / (SIDE / 4u));
  var m0 = load_row(first, tx);
  var m1 = load_row(first + 1u, tx);
  var m2 = load_row(first + 2u, tx);
  var m3 = load_row(first + 3u, tx);
  var used = vec4<bool>(false);
  if (local < SIDE) { atomicStore(&pivots[local], SIDE); }
  workgroupBarrier();
  for (var j = 0u; j < SIDE; j++) {
    let turn = (j & 1u) * SIDE;
    let lane = select(4u, j & 3u, tx == j / 4u);
    if (lane < 4u) {
      let own = vec4<u32>(m0[lane], m1[lane], m2[lane], m3[lane]);
      for (var k = 0u; k < 4u; k++) {
        column[turn + first + k] = own[k];
        if (own[k] != 0u && !used[k]) { atomicMin(&pivots[j], first + k); }
      }
    }
    workgroupBarrier();
    let i = atomicLoad(&pivots[j]);
    let mine = vec4<bool>(i == first, i == first + 1u, i == first + 2u, i == first + 3u);
    if (any(mine)) {
      row[turn / 4u + tx] = select(select(select(m0, m1, mine.y), m2, mine.z), m3, mine.w);
      used |= mine;
    }
    workgroupBarrier();
    if (i < SIDE) {
      let scale = inverse(column[turn + i]);
      var u = times(lift(row[turn / 4u + tx]), scale);
      u = select(u, vec4<u32>(scale), vec4<u32>(0u, 1u, 2u, 3u) == vec4<u32>(lane));
      m0 = sweep_row(m0, u, column[turn + first], mine.x, lane);
      m1 = sweep_row(m1, u, column[turn + first + 1u], mine.y, lane);
      m2 = sweep_row(m2, u, column[turn + first + 2u], mine.z, lane);
      m3 = sweep_row(m3, u, column[turn + first + 3u], mine.w, lane);
    }
  }
  if (local < SIDE) { block[local] = atomicLoad(&pivots[local]); }
  let at = SIDE + first * SIDE + 4u * tx;
  for (var k = 0u; k < 4u; k++) {
    block[at + k] = m0[k];
    block[at + SIDE + k] = m1[k];
    block[at + 2u * SIDE + k] = m2[k];
    block[at + 3u * SIDE + k] = m3[k];
  }
}
