import { FullhouseError } from '../../contract/calls';
import type { ShellApi } from '../../contract/shell';
import type { Plan } from '../../domain/plan/plan';
import type { ScheduleView } from '../../domain/plan/schedule';
import type { Engine } from './connection';

/** How plans begin: at once, by their schedule, or after a person has allowed their hooks. */
export class Starting {
  schedules = $state.raw<readonly ScheduleView[]>([]);
  readonly #engine: Engine;
  readonly #shell: Pick<ShellApi, 'call'>;
  readonly #onProblem: (error: unknown) => void;
  readonly #unsubscribe: () => void;

  constructor(engine: Engine, shell: Pick<ShellApi, 'call'>, onProblem: (error: unknown) => void) {
    this.#engine = engine;
    this.#shell = shell;
    this.#onProblem = onProblem;
    this.#unsubscribe = engine.on('schedules', (schedules) => (this.schedules = schedules));
    engine
      .call('schedules.list', {})
      .then((schedules) => (this.schedules = schedules))
      .catch(onProblem);
  }

  /** `begun`, `scheduled`, or nothing when its hooks were not allowed or it could not begin. */
  async begin(plan: Plan): Promise<'begun' | 'scheduled' | undefined> {
    try {
      return await this.#begin(plan, false);
    } catch (error) {
      if (!(error instanceof FullhouseError && error.code === 'hooks-not-allowed')) this.#onProblem(error);
      else return this.#beginAllowed(plan);
    }
    return undefined;
  }

  /** The main process shows the hooks and tells the engine; this page's own word counts for nothing there. */
  async #beginAllowed(plan: Plan): Promise<'begun' | 'scheduled' | undefined> {
    try {
      const { allowed } = await this.#shell.call('shell.allowHooks', { plan });
      return allowed ? await this.#begin(plan, true) : undefined;
    } catch (error) {
      this.#onProblem(error);
      return undefined;
    }
  }

  async #begin(plan: Plan, allowHooks: boolean): Promise<'begun' | 'scheduled'> {
    if (plan.schedule) {
      await this.#engine.call('schedules.add', { plan, allowHooks });
      return 'scheduled';
    }
    await this.#engine.call('runs.start', { plan, allowHooks });
    return 'begun';
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
