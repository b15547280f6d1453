/**
 * The executor of WebAssembly SIMD kernels on a team of threads: u16 residues for p < 2^16, u32 above, and on the way
 * to an extension of F_2 with bytes for codes the executor of those.
 */
import { ExtensionField } from '../../fields/extension.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { cpuVector } from '../blocks/cpu-vector.js';
import * as shapes from '../checks.js';
import { DenseMatrix } from '../dense/dense-matrix.js';
import { pluqPivots } from '../dense/pluq.js';
import type { BitColumns, BlockVector } from '../executor.js';
import { CpuBitColumns } from '../gf2/cpu-bit-columns.js';
import { hasGf256Storage } from '../residues/storage.js';
import { KernelMemory } from '../threads/memory.js';
import { Team } from '../threads/team.js';
import { CpuElements } from './cpu-elements.js';

export interface CpuOptions {
  /** Default 1. */
  readonly threads?: number;
  readonly memory?: KernelMemory;
}

export class CpuExecutor extends CpuElements {
  private readonly ownsTeam: boolean;

  /** On a team that stays the caller's, or, `ownsTeam`, ends with the executor. */
  constructor(field: WordPrime, team: Team, ownsTeam = false) {
    super(field, team);
    this.ownsTeam = ownsTeam;
  }

  static async create(field: WordPrime, { threads = 1, memory = new KernelMemory() }: CpuOptions = {}) {
    return new CpuExecutor(field, await Team.create(threads, memory), true);
  }

  over(extension: ExtensionField): CpuElements | null {
    return hasGf256Storage(extension) ? new CpuElements(this.field, this.team, extension) : null;
  }

  bitColumns(): BitColumns | null {
    if (this.field.p !== 2) return null;
    return new CpuBitColumns(new CpuElements(this.field, this.team, ExtensionField.of(2, 8)), this.team);
  }

  columnRank(vectors: readonly BlockVector[]): number {
    shapes.checkColumns(vectors);
    const cols = vectors.reduce((sum, { width }) => sum + width, 0);
    const matrix = new DenseMatrix(this.team.memory, this.field, vectors[0]?.length ?? 0, cols);
    try {
      let first = 0;
      for (const v of vectors) {
        const from = this.words(cpuVector(v));
        for (let i = 0; i < v.length; i++) matrix.row(i).set(from.subarray(i * v.width, (i + 1) * v.width), first);
        first += v.width;
      }
      return pluqPivots(this.team, this.field, matrix).rank;
    } finally {
      matrix.release();
    }
  }

  override dispose(): void {
    super.dispose();
    if (this.ownsTeam) void this.team.dispose();
  }
}
