import { firstPlan } from './pullForm';
import type { PullPlan } from '../../../domain/model/publisherGroup';
import type { NodeView } from '../../../domain/model/node';
import type { WindowClient } from '../../client/connection';

/** The first run: the lab, its sample and as many viewers as this machine can judge, with the expected bandwidth. */
export class FirstStart {
  plan = $state.raw<PullPlan>();
  /** Bitrate per viewer, computed by the engine; absent until it responds. */
  sampleMbps = $state<number>();
  readonly #engine: WindowClient;
  readonly #onProblem: (error: unknown) => void;

  constructor(engine: WindowClient, onProblem: (error: unknown) => void) {
    this.#engine = engine;
    this.#onProblem = onProblem;
  }

  /** Adapts the size to what the machine has left now. */
  resize(nodes: readonly NodeView[]): void {
    const plan = this.plan && firstPlan(nodes);
    if (plan && plan.pull.viewers !== this.plan?.pull.viewers) this.plan = plan;
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
