import { FullhouseError } from '../../contract/calls';
import type { ShellApi } from '../../contract/shell';
import type { NodeView } from '../../domain/model/node';
import type { Plan } from '../../domain/model/plan';
import type { ScheduleView } from '../../domain/plan/schedule';
import { searchPlan } from '../../domain/search/searchPlan';
import { withTester, type TesterSplit } from '../../domain/tester/testerSplit';
import type { Engine } from '../client/connection';
import type { Notices } from '../ui/notices/notices.svelte';
import type { DisplayedRun } from './displayedRun.svelte';
import type { Session } from './session.svelte';
import { splitOf } from './testerSplit';

/** Starts plans: immediately, by schedule, after the active run, or after the user has allowed their hooks. */
export class Starting {
  schedules = $state.raw<readonly ScheduleView[]>([]);
  isStarting = $state(false);
  /** Starts once the active run has stopped. */
  next = $state.raw<Plan>();
  readonly #displayed: DisplayedRun;
  /** The tester split suggested for the displayed run if its testers were too weak. */
  readonly split: TesterSplit | undefined = $derived.by(() => {
    const { record, samples } = this.#displayed;
    if (!record || (record.run.state === 'stopping' && !this.next)) return undefined;
    void this.#displayed.sampleVersion;
    return splitOf(record.run, this.#session.nodes, samples);
  });
  #forgetNext: (() => void) | undefined;
  readonly #engine: Engine;
  readonly #shell: Pick<ShellApi, 'call'>;
  readonly #notices: Notices;
  readonly #session: Session;
  readonly #unsubscribe: () => void;

  constructor(
    engine: Engine,
    shell: Pick<ShellApi, 'call'>,
    notices: Notices,
    session: Session,
    displayed: DisplayedRun,
  ) {
    this.#engine = engine;
    this.#shell = shell;
    this.#notices = notices;
    this.#session = session;
    this.#displayed = displayed;
    this.#unsubscribe = engine.on('schedules', (schedules) => (this.schedules = schedules));
    void notices
      .attempt(() => engine.call('schedules.list', {}))
      .then((schedules) => (this.schedules = schedules ?? this.schedules));
  }

  /** Starts a run, or adds the plan's pull to the active one. */
  async start(plan: Plan): Promise<void> {
    this.isStarting = true;
    const outcome = await this.#begin(plan);
    this.isStarting = false;
    if (outcome === 'scheduled') this.#notices.done(`"${plan.name}" is scheduled.`);
    if (outcome === 'begun') this.#displayed.showSession();
  }

  /** Runs the displayed plan again with one more tester. */
  async splitOver(tester: NodeView): Promise<void> {
    const { record, hasEnded } = this.#displayed;
    // A displayed saved run does not affect the active one.
    if (record && !(hasEnded && this.#session.isLive)) await this.#restart(withTester(record.run.plan, tester));
  }

  /** Runs the displayed plan as a limit search. */
  async findLimit(): Promise<void> {
    const { record, hasEnded } = this.#displayed;
    if (record && hasEnded && !this.#session.isLive) await this.start(searchPlan(record.run.plan, record.run.nodes));
  }

  /** Cancels a pending start. */
  cancelNext(): void {
    this.#forgetNext?.();
  }

  /**
   * Starts a plan once the active run has disconnected all viewers; publications continue. Without a run it starts
   * immediately.
   */
  async #restart(plan: Plan): Promise<void> {
    if (!this.#session.isLive) return this.start(plan);
    if (this.next) return;
    const pulls = this.#session.jobs.filter(
      ({ kind, state }) => kind === 'pull' && state !== 'ended' && state !== 'failed',
    );
    this.next = plan;
    const unsubscribe = this.#engine.on('run', (run) => {
      if (run && run.state !== 'ended') return;
      this.cancelNext();
      void this.start(plan);
    });
    this.#forgetNext = () => {
      unsubscribe();
      this.next = undefined;
      this.#forgetNext = undefined;
    };
    const asked = await this.#notices.attempt(async () => {
      // Before the first viewer there is no job to stop.
      if (pulls.length === 0) await this.#engine.call('runs.stopAll', { force: false });
      for (const { id } of pulls) await this.#engine.call('runs.stopJob', { job: id, force: false });
      return true;
    });
    if (!asked) this.cancelNext();
  }

  /** `begun`, `scheduled`, or nothing if its hooks were not allowed or it failed to start. */
  async #begin(plan: Plan): Promise<'begun' | 'scheduled' | undefined> {
    try {
      return await this.#send(plan, false);
    } catch (error) {
      if (!(error instanceof FullhouseError && error.code === 'hooks-not-allowed')) this.#notices.problem(error);
      else return this.#startAllowed(plan);
    }
    return undefined;
  }

  /** The main process shows the hooks and informs the engine, which does not trust this page. */
  #startAllowed(plan: Plan): Promise<'begun' | 'scheduled' | undefined> {
    return this.#notices.attempt(async () => {
      const { allowed } = await this.#shell.call('shell.allowHooks', { plan });
      return allowed ? await this.#send(plan, true) : undefined;
    });
  }

  async #send(plan: Plan, allowHooks: boolean): Promise<'begun' | 'scheduled'> {
    if (plan.schedule) {
      await this.#engine.call('schedules.add', { plan, allowHooks });
      return 'scheduled';
    }
    await this.#engine.call('runs.start', { plan, allowHooks });
    return 'begun';
  }

  async cancelScheduled(schedule: string): Promise<void> {
    await this.#notices.attempt(() => this.#engine.call('schedules.remove', { schedule }));
  }

  dispose(): void {
    this.#unsubscribe();
  }
}
