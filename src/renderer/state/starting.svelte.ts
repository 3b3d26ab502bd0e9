import { FullhouseError } from '../../contract/calls';
import type { Plan } from '../../domain/plan/plan';
import type { ScheduleView } from '../../domain/plan/schedule';
import type { Engine } from './connection';

/** A plan that would do something outside of this window, and waits for somebody to allow it. */
export interface Asked {
  readonly plan: Plan;
  /** What it would do. */
  readonly sentence: string;
}

/** How plans begin: at once, by their schedule, or after somebody has allowed what they do outside. */
export class Starting {
  schedules = $state.raw<readonly ScheduleView[]>([]);
  asked = $state.raw<Asked>();
  readonly #engine: Engine;
  readonly #onProblem: (error: unknown) => void;
  readonly #unsubscribe: () => void;

  constructor(engine: Engine, onProblem: (error: unknown) => void) {
    this.#engine = engine;
    this.#onProblem = onProblem;
    this.#unsubscribe = engine.on('schedules', (schedules) => (this.schedules = schedules));
    engine
      .call('schedules.list', {})
      .then((schedules) => (this.schedules = schedules))
      .catch(onProblem);
  }

  /** `begun`, `scheduled`, or nothing when it has to be allowed first or could not begin. */
  async begin(plan: Plan, allowHooks = false): Promise<'begun' | 'scheduled' | undefined> {
    this.asked = undefined;
    try {
      if (plan.schedule) {
        await this.#engine.call('schedules.add', { plan, allowHooks });
        return 'scheduled';
      }
      await this.#engine.call('runs.start', { plan, allowHooks });
      return 'begun';
    } catch (error) {
      if (error instanceof FullhouseError && error.code === 'hooks-not-allowed')
        this.asked = { plan, sentence: error.message };
      else this.#onProblem(error);
      return undefined;
    }
  }

  async takeBack(schedule: string): Promise<void> {
    try {
      await this.#engine.call('schedules.remove', { schedule });
    } catch (error) {
      this.#onProblem(error);
    }
  }

  dispose(): void {
    this.#unsubscribe();
  }
}
