import type { Plan } from '../../domain/model/plan';

declare const allowed: unique symbol;

/**
 * A plan that the gate has let pass: everything in it that needs the person's consent has it. Only these bind nodes, so
 * what has not passed contacts nothing.
 */
export interface AllowedPlan {
  readonly plan: Plan;
  /** Texts of the items that were allowed. */
  readonly texts: ReadonlySet<string>;
  readonly [allowed]: true;
}

/** For the gate, and for tests of what comes after it. */
export const asAllowed = (plan: Plan, texts: readonly string[] = []): AllowedPlan =>
  ({ plan, texts: new Set(texts) }) as unknown as AllowedPlan;
