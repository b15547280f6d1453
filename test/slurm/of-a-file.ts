/** A folder for the tests of a file, and in it a Slurm of their own where there is one: both end with the file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type NodeParts, SlurmCluster, slurmMissing } from './cluster.js';

export interface OfAFile {
  readonly folder: string;
  /** For tests that are not skipped. */
  readonly slurm: SlurmCluster;
}

/** `missing` : why the tests are skipped. */
export function slurmOfFile(parts: NodeParts | null = null, missing: string | null = slurmMissing): OfAFile {
  const folder = mkdtempSync(join(tmpdir(), 'wiedemann-slurm-'));
  let cluster: SlurmCluster | undefined;
  beforeAll(async () => {
    if (missing === null) cluster = await SlurmCluster.start(join(folder, 'slurm'), parts);
  });
  afterAll(async () => {
    await cluster?.end();
    rmSync(folder, { recursive: true });
  });
  return {
    folder,
    get slurm() {
      return cluster!;
    },
  };
}
