import { firstPlan } from '../dialogs/pullForm';
import type { Plan } from '../../domain/plan/plan';
import type { NodeView } from '../../domain/node';
import type { Engine } from './connection';

/** What a newcomer is offered: the lab, its sample and 100 viewers, with what it will cost. */
export class FirstStart {
  plan = $state.raw<Plan>();
  /** What one viewer receives, by the engine's own reckoning; absent until it has answered. */
  sampleMbps = $state<number>();
  readonly #engine: Engine;
  readonly #onProblem: (error: unknown) => void;

  constructor(engine: Engine, onProblem: (error: unknown) => void) {
    this.#engine = engine;
    this.#onProblem = onProblem;
  }

  async prepare(nodes: readonly NodeView[]): Promise<void> {
    this.plan = firstPlan(nodes);
    if (!this.plan) return;
    try {
      const { expectedMbps } = await this.#engine.call('plan.check', { plan: this.plan });
      this.sampleMbps = expectedMbps === undefined ? undefined : expectedMbps / this.plan.pull.viewers;
    } catch (error) {
      this.#onProblem(error);
    }
  }
}
