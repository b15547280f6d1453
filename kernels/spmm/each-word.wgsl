// An invocation for each EACH words of the result: it takes every WORKGROUP-th, so that neighbours take neighbouring
// words. Where LOOPED, invocations go on behind the words of all workgroups. The file before says
//   word_count()    words of the result
//   make_word(at)   what is done for one of them; nothing for at ≥ word_count()
override EACH: u32 = 1u;
override LOOPED: bool = false;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let step = groups.x * groups.y * EACH * WORKGROUP;
  var first = linear_group(id, groups) * EACH * WORKGROUP + local;
  loop {
    for (var turn = 0u; turn < EACH; turn++) { make_word(first + turn * WORKGROUP); }
    first += step;
    if (!LOOPED || first >= word_count()) { break; }
  }
}
