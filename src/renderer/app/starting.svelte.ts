import { FullhouseError } from '../../contract/calls';
import type { CallInput } from '../../contract/engine';
import type { ShellApi } from '../../contract/shell';
import type { NodeView } from '../../domain/model/node';
import type { Plan } from '../../domain/model/plan';
import type { RunView } from '../../domain/model/run';
import type { ScheduleView } from '../../domain/plan/schedule';
import { searchPlan } from '../../domain/search/searchPlan';
import { cpuBurden } from '../../domain/tester/testerCost';
import { splitOf as splitByBurden, type TesterSplit, withTester } from '../../domain/tester/testerSplit';
import type { SampleStore } from '../charts/sampleStore';
import type { WindowClient } from '../client/connection';
import type { Notices } from '../ui/notices/notices.svelte';
import type { DisplayedRun } from './displayedRun.svelte';
import type { Session } from './session.svelte';
import type { RunRecord } from './runRecord.svelte';

/** A plan that the user has to see before it may start. */
export interface ReviewedPlan {
  readonly plan: Plan;
  /** Whether another console recorded its run. */
  readonly isForeign: boolean;
}

/** One start of a plan. */
interface Attempt {
  readonly plan: Plan;
  readonly allowNodes: readonly string[];
  /** The user has seen the plan in the Pull dialog, which lists what it does. */
  readonly isListed: boolean;
}

/** Starts plans: immediately, by schedule, after the active run, or after the user has allowed their hooks. */
export class Starting {
  schedules = $state.raw<readonly ScheduleView[]>([]);
  isStarting = $state(false);
  /** Shows a plan in the Pull dialog, which lists what it contacts and starts. */
  onReview: ((plan: ReviewedPlan) => void) | undefined;
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
  readonly #engine: WindowClient;
  readonly #shell: Pick<ShellApi, 'call'>;
  readonly #notices: Notices;
  readonly #session: Session;
  readonly #unsubscribe: () => void;

  constructor(
    engine: WindowClient,
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

  /**
   * Starts a run, or adds the plan's pull to the active one. `allowNodes` are addresses of new nodes that the user has
   * seen and allowed.
   */
  async start(plan: Plan, allowNodes: readonly string[] = []): Promise<void> {
    await this.#try({ plan, allowNodes, isListed: true });
  }

  /** Runs the displayed plan again. */
  async again(): Promise<void> {
    const { record } = this.#displayed;
    if (record) await this.startOf(record, record.run.plan);
  }

  /**
   * Starts a plan that was taken from a run: at once if this console has recorded the run, the fleet has all of its
   * nodes, and the plan does nothing else. Otherwise the Pull dialog lists what it does, and the user starts it there.
   */
  async startOf({ isForeign }: Pick<RunRecord, 'isForeign'>, plan: Plan): Promise<void> {
    if (isForeign) this.#review({ plan, isForeign });
    else await this.#try({ plan, allowNodes: [], isListed: false });
  }

  /** Runs the displayed plan again with one more tester. */
  async splitOver(tester: NodeView): Promise<void> {
    const { record, hasEnded } = this.#displayed;
    // A displayed saved run does not affect the active one.
    if (!record || (hasEnded && this.#session.isLive)) return;
    const plan = withTester(record.run.plan, tester);
    // The nodes of an active run were allowed when it started.
    await (this.#session.isLive ? this.#restart(plan) : this.startOf(record, plan));
  }

  /** Runs the displayed plan as a limit search. */
  async findLimit(): Promise<void> {
    const { record, hasEnded } = this.#displayed;
    if (record && hasEnded && !this.#session.isLive)
      await this.startOf(record, searchPlan(record.run.plan, record.run.nodes));
  }

  /** Cancels a pending start. */
  cancelNext(): void {
    this.#forgetNext?.();
  }

  /** Starts a plan once the active run has disconnected all viewers; publications continue. */
  async #restart(plan: Plan): Promise<void> {
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
    const isAccepted = await this.#notices.attempt(async () => {
      // Before the first viewer there is no job to stop.
      if (pulls.length === 0) await this.#engine.call('runs.stopAll', { force: false });
      for (const { id } of pulls) await this.#engine.call('runs.stopJob', { job: id, force: false });
      return true;
    });
    if (!isAccepted) this.cancelNext();
  }

  async #try(attempt: Attempt): Promise<void> {
    this.isStarting = true;
    const outcome = await this.#begin(attempt);
    this.isStarting = false;
    if (outcome === 'scheduled') this.#notices.done(`"${attempt.plan.name}" is scheduled.`);
    if (outcome === 'begun') this.#displayed.showSession();
  }

  /** `begun`, `scheduled`, or nothing if it was not allowed or failed to start. */
  async #begin({ plan, allowNodes, isListed }: Attempt): Promise<'begun' | 'scheduled' | undefined> {
    try {
      return await this.#send({ plan, allowNodes: [...allowNodes] });
    } catch (error) {
      const code = error instanceof FullhouseError ? error.code : undefined;
      if (code === 'hooks-not-allowed' && isListed) return this.#startAllowed(plan, allowNodes);
      // Its nodes may also have changed since they were listed, e.g. one was removed from the fleet.
      if (code === 'hooks-not-allowed' || code === 'nodes-not-added') this.#review({ plan, isForeign: false });
      else this.#notices.problem(error);
    }
    return undefined;
  }

  /** The main process shows what the plan does and informs the engine, which does not trust this page. */
  #startAllowed(plan: Plan, allowNodes: readonly string[]): Promise<'begun' | 'scheduled' | undefined> {
    return this.#notices.attempt(async () => {
      const { allowed } = await this.#shell.call('shell.allowHooks', { plan });
      return allowed ? await this.#send({ plan, allowNodes: [...allowNodes], allowHooks: true }) : undefined;
    });
  }

  async #send(input: CallInput<'runs.start'>): Promise<'begun' | 'scheduled'> {
    if (input.plan.schedule) {
      await this.#engine.call('schedules.add', input);
      return 'scheduled';
    }
    await this.#engine.call('runs.start', input);
    return 'begun';
  }

  #review(plan: ReviewedPlan): void {
    this.onReview?.(plan);
  }

  async cancelScheduled(schedule: string): Promise<void> {
    await this.#notices.attempt(() => this.#engine.call('schedules.remove', { schedule }));
  }

  dispose(): void {
    this.#unsubscribe();
  }
}

/** The tester split suggested for a run, by the load that its viewers were to the testers. */
function splitOf(run: RunView, fleet: readonly NodeView[], samples: SampleStore): TesterSplit | undefined {
  return splitByBurden(run, fleet, (tester) => {
    const viewers = samples.column(tester.id, 'viewersConnected');
    const { series, factor } = cpuBurden(tester, run.nodes);
    const viewersPerTester = [
      { what: 'cpu', series, factor },
      { what: 'reader', series: 'testerReaderBusyPercent', factor: 1 },
    ] as const;
    return viewersPerTester.flatMap((each) => {
      const burden = samples.column(tester.id, each.series);
      return burden && viewers ? [{ what: each.what, factor: each.factor, burden, viewers }] : [];
    });
  });
}
