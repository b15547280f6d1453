/** What an algorithm found, as the outcome that its caller gets. */
import { canShareMemory } from '#platform';
import { isPrimeProved } from '../../fields/primality.js';
import type { Settings } from '../questions/options.js';
import { classify, type Report } from '../questions/outcome.js';
import type { AnyOutcomeData } from '../questions/verbs.js';
import type { Found, Hardware } from './found.js';

interface Sizes {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number | null;
}

interface Pivots {
  readonly lines: { readonly rows: Uint32Array; readonly cols: Uint32Array } | null;
  readonly reason?: string | undefined;
}

export function outcomeOf(
  { rows, cols, nnz }: Sizes,
  settings: Settings,
  found: Found & Hardware,
  pivots: Pivots | null = null,
  certificate: { readonly text: string | null; readonly reason: string | undefined } | null = null,
): AnyOutcomeData {
  const report: Report = {
    rows,
    cols,
    nnz,
    mod: settings.mod,
    lowerBound: found.lowerBound,
    upperBound: found.upperBound,
    method: found.method,
    explanation: [...(found.explanation ?? []), ...(found.warnings ?? [])],
    device: found.device,
    adapter: found.adapter,
    threads: found.threads,
    block: found.block,
    seed: settings.seed,
    certificate: certificate?.text ?? null,
    ...(certificate?.reason === undefined ? {} : { certificateReason: certificate.reason }),
    pivotRows: pivots?.lines?.rows ?? null,
    pivotCols: pivots?.lines?.cols ?? null,
    ...(pivots?.reason === undefined ? {} : { pivotsReason: pivots.reason }),
    warnings: [...warningsOf(settings), ...(found.warnings ?? [])],
    seconds: found.seconds,
  };
  return { ...report, ...found.own, ...classify(found.value, found) } as AnyOutcomeData;
}

/** Warnings: options without effect, and assumptions of the answer. */
function warningsOf({ threads, mod }: Settings): string[] {
  const warnings: string[] = [];
  if (threads !== null && threads > 1 && !canShareMemory())
    warnings.push(`threads: ${threads} were asked for, memory cannot be shared here: one thread runs`);
  if (!isPrimeProved(mod)) warnings.push('mod: beyond 3·10^23 a modulus is tested to be prime, not proved');
  return warnings;
}
