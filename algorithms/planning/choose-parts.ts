/**
 * In how many parts a run should be made, by what each number of them should take: they are doubled as long as the run
 * takes a third less by it, generator and verification included, which more parts make no shorter.
 */
import type { DevicePlan } from './device-plan.js';

/** How many times as long a run takes at least without twice the parts: three quarters of what the machines cost. */
const GAIN = 1.5;

export interface ChosenParts {
  readonly plan: DevicePlan;
  readonly more: DevicePlan | null; // the next number, which does not pay; null where there is none
}

/** `plans` : of 1, 2, 4, … devices, at least one. */
export function chooseParts(plans: readonly DevicePlan[]): ChosenParts {
  const pays = (plan: DevicePlan, more: DevicePlan): boolean => GAIN * more.seconds.total <= plan.seconds.total;
  const last = plans.findIndex((plan, i) => i === plans.length - 1 || !pays(plan, plans[i + 1]!));
  return { plan: plans[last]!, more: plans[last + 1] ?? null };
}
