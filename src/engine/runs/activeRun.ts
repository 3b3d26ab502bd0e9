import { audiencesOf } from '../../domain/model/distribution';
import { clientsOf, publishesOnly } from '../../domain/model/publisherGroup';
import type { NamedLayout } from '../../domain/model/chartLayout';
import type { Plan } from '../../domain/model/plan';
import type { JobView, RunEvent, RunState, RunView } from '../../domain/model/run';
import type { ViewerRow, ViewerDetail } from '../../contract/viewerSchemas';
import type { Sample } from '../../domain/series/series';
import { Emitter } from '../base/emitter';
import { unmeasuredLimits } from '../../domain/tester/unmeasuredLimits';
import { pauseSentence, seconds } from '../base/sentences';
import type { FleetNode, NodeChange } from '../fleet/node';
import { defaultBaselineMs } from './baseline';
import { GroupMembers } from './groupMembers';
import { BrowserViewers } from './browserViewers';
import { callHooks } from './hooks';
import { loadChecks } from './loadCheck';
import { planWith } from './planWith';
import type { Pull } from './pull';
import { takeDisplayed } from './displayed';
import type { PlayerEvent, PlayerReport } from './playerEvents';
import { nextStep, type PullStep } from './pullSteps';
import { RampUp } from './rampUp';
import { RunData } from './runData';
import { endRun } from './runEnd';
import type { RunOutput } from './runOutput';
import { RunNodes, type Nodes, type RunDeps } from './runParts';
import { phaseNow } from './runPhase';
import { SampleRouter } from './sampleRouter';
import {
  baselineSentences,
  clockStepSentence,
  loadSentence,
  publishersFullSentence,
  pullSentence,
  rampEndSentence,
  silentSources,
} from './sentences';
import { TearDown } from './tearDown';
import { counted, formatViewers } from '../../domain/text/numberFormat';

/**
 * One run from its plan to its verdict. It is driven by `tick` (time), `take` (nodes) and `stop` (the user), and reports
 * through `output`. Calls go down only: to ramp-up, sample router and tear-down, which share the run's data.
 */
export class ActiveRun {
  /** All that leaves the run. */
  readonly output = new Emitter<RunOutput>();
  /** Resolves once the run is judged and its file is closed. */
  readonly ended: Promise<void>;
  private readonly data: RunData;
  private readonly router: SampleRouter;
  private readonly browserViewers: BrowserViewers;
  private readonly rampUp: RampUp;
  private readonly tearDown: TearDown;
  private readonly members: GroupMembers;
  /** Audiences that are being prepared. */
  private opening = 0;
  /** Pulls, and groups of publishers alone, started so far. */
  private started = 0;
  /** The measurement of the hosts without viewers: audiences that are added meanwhile wait for it too. */
  private measured: Promise<void> | undefined;
  private readonly pauses: number[] = [];
  private markEnded: () => void = () => undefined;

  constructor(
    readonly id: string,
    plan: Plan,
    nodes: Nodes,
    readonly startedMs: number,
    private readonly deps: RunDeps,
  ) {
    this.data = new RunData(id, plan, new RunNodes(nodes), startedMs, deps, this.output);
    this.router = new SampleRouter(this.data);
    this.browserViewers = new BrowserViewers(this.data, this.router, deps.browsers);
    this.rampUp = new RampUp(this.data);
    this.tearDown = new TearDown(this.data);
    this.members = new GroupMembers(this.data);
    this.ended = new Promise((resolve) => (this.markEnded = resolve));
  }

  get state(): RunState {
    return this.data.state;
  }

  /** Whether all viewers are disconnected and the streams of the run are no longer published. */
  get isReleased(): boolean {
    return this.data.isReleased;
  }

  begin(): void {
    const { plan, nodes } = this.data;
    const views = nodes.views();
    this.remark(`Run started: ${loadSentence(plan)}`);
    // The check "load before the test" of the hosts of this run.
    const { hostLoads } = this.deps;
    for (const { id } of views) for (const sentence of nodes.get(id)?.serverRemarks?.() ?? []) this.remark(sentence);
    const checks = hostLoads ? loadChecks(hostLoads, views, plan.expect.cpu?.value) : [];
    for (const { sentence } of checks) this.remark(sentence);
    this.data.log.phase('prepare', `Prepare: ${views.map(({ name }) => name).join(' and ')}`);
    this.callHooks('start');
    void this.browserViewers.open();
    void this.openAll(plan);
  }

  /** Adds another plan's audiences; `nodes` are those of the run with the plan's own. */
  async add(plan: Plan, nodes: Nodes): Promise<void> {
    this.data.nodes.all = nodes;
    this.data.plan = planWith(this.data.plan, plan);
    this.browserViewers.planChanged();
    this.remark(`Pull added: ${loadSentence(plan)}`);
    await this.openAll(plan);
  }

  /** Starts a plan's audiences once all of them can be started. */
  private async openAll(plan: Plan): Promise<void> {
    const place = audiencesOf(this.data.plan).length - audiencesOf(plan).length;
    this.opening += 1;
    const ready = await this.rampUp.prepare(plan, place);
    const isPublishing = publishesOnly(plan) && this.data.failure === undefined && !this.data.isClosing;
    if (isPublishing) {
      await (this.measured ??= this.measureBaseline());
      const starting = this.rampUp.startPublishers(plan);
      this.takeStarts();
      await starting;
    }
    if (ready.length > 0) {
      await (this.measured ??= this.measureBaseline());
      for (const { label, ...pull } of plan.also ?? [])
        this.remark(`Audience added: ${label === undefined ? '' : `${label}, `}${pullSentence(pull)}`);
      const starting = Promise.all(ready.map((audience) => this.rampUp.start(audience)));
      this.takeStarts();
      await starting;
    }
    this.opening -= 1;
    this.advance();
  }

  /** Disconnects all viewers; `force` skips closing the sessions. Resolves with the number of remaining viewers. */
  async stop(force: boolean): Promise<number> {
    const { log } = this.data;
    if (this.state === 'ended') return 0;
    log.say(force ? 'Forced stop' : `Stop: disconnecting ${this.presentText()}`, 'you');
    this.tearDown.markStopped();
    await this.tearDown.leaveAll(force);
    this.advance();
    return this.present();
  }

  /** Viewers that have not disconnected, or publishers alone. */
  private present(): number {
    return this.data.pulls.present() + this.data.published.present();
  }

  private presentText(): string {
    return publishesOnly(this.data.plan) ? counted(this.present(), 'publisher') : formatViewers(this.present());
  }

  /** Stops one job; undefined when this run has no such job. */
  async stopJob(id: string, force: boolean): Promise<number | undefined> {
    const view = this.jobs().find((job) => job.id === id);
    const present = (): number =>
      this.jobs().reduce((sum, job) => sum + (job.id === id && job.kind === 'pull' ? job.present : 0), 0);
    if (!view) return undefined;
    this.data.log.say(`Stop ${id}: ${formatViewers(present())} of ${view.node} disconnect`, 'you');
    this.tearDown.markStopped();
    await this.tearDown.leaveJob(id, force);
    this.advance();
    return present();
  }

  rename(name: string): void {
    this.data.plan = { ...this.data.plan, name };
    this.data.changed();
  }

  /** The chart layout of this run. */
  setLayout(layout: NamedLayout): void {
    this.data.setLayout(layout);
  }

  /** A sentence of the run itself. */
  remark(sentence: string): void {
    this.data.log.say(sentence);
  }

  note(text: string, timeMs: number): RunEvent {
    return this.data.log.keep({ timeMs, kind: 'note', mark: 'note', who: 'you', sentence: text });
  }

  playerEvent(timeMs: number, event: PlayerEvent): RunEvent {
    return this.data.log.keep({ timeMs, kind: 'player', who: 'player', ...event });
  }

  /** What the browser viewers of this run displayed in the last second. */
  takeBrowserViewers(report: Parameters<BrowserViewers['take']>[0]): void {
    if (this.state !== 'ended' && !this.data.isFinishing) this.browserViewers.take(report, this.deps.clock.now());
  }

  /** What the control player displayed in the last second. */
  takePlayer(node: string, displayed: NonNullable<PlayerReport['displayed']>): void {
    if (this.state === 'ended' || this.data.isFinishing) return;
    takeDisplayed(this.data, this, [{ node, ...displayed }], this.deps.clock.now());
  }

  /** The names of a node in this run; empty for a node that is not part of it. */
  namesOf(node: FleetNode): string[] {
    return this.data.nodes.namesOf(node);
  }

  get boundNodes(): Nodes {
    return this.data.nodes.all;
  }

  /** Records samples under this run's names. */
  record(samples: readonly Sample[]): void {
    if (this.state === 'ended') return;
    this.router.record(samples);
    this.endIfReached();
  }

  take(node: FleetNode, change: NodeChange): void {
    const [name] = this.namesOf(node);
    if (this.state === 'ended' || name === undefined) return;
    this.router.take(node, name, change, this.deps.clock.now());
    if (change.kind === 'message' && change.name === 'unattended')
      this.tearDown.consoleTimedOut(node, change.timeMs, change.sentence);
    if (change.kind === 'message') this.members.take(node, change);
    if (change.kind === 'state' && (change.state === 'failed' || change.state === 'idle'))
      this.tearDown.lose(node, change.problem ?? `${name} was stopped.`);
    this.endIfReached();
    this.advance();
  }

  /** The clock of the engine's machine was set. The run's times continue, and its file reports it. */
  clockStepped(stepMs: number): void {
    if (this.state !== 'ended') this.remark(clockStepSentence('this machine', stepMs));
  }

  /** The engine's own process did not run for a while. Measurements of the nodes since then are still to be read. */
  paused(pausedMs: number): void {
    if (this.state === 'ended') return;
    this.pauses.push(pausedMs);
    this.remark(pauseSentence(pausedMs));
  }

  tick(nowMs: number): void {
    const { data } = this;
    if (this.state === 'ended') return;
    data.headline.update(nowMs);
    this.router.watch(data.headline.figures);
    this.endIfReached();
    this.advance();
    if (!data.isFinishing) this.saveView();
    data.changed();
  }

  jobs(): JobView[] {
    return this.data.pulls.views();
  }

  /** The testers' own lists, while these can be queried. */
  viewerRows(): Promise<ViewerRow[]> {
    return this.data.pulls.rows();
  }

  viewerDetail(job: string, viewer: number): Promise<ViewerDetail> {
    return this.data.pulls.detail(job, viewer);
  }

  view(): RunView {
    return this.data.view();
  }

  /** Never rejects. */
  private async measureBaseline(): Promise<void> {
    const { baseline, log, nodes, whenClosing } = this.data;
    const { baselineMs = defaultBaselineMs } = this.deps;
    for (const sentence of nodes.views().flatMap((view) => unmeasuredLimits(view) ?? [])) this.remark(sentence);
    if (baselineMs <= 0) return;
    log.phase(
      'baseline',
      `Baseline: hosts are measured for ${seconds(baselineMs)} without ${clientsOf(this.data.plan)}`,
    );
    this.data.changed();
    await baseline.measure(baselineMs, whenClosing);
    const views = nodes.views();
    const shownName = (node: string): string => views.find(({ id }) => id === node)?.name ?? node;
    for (const sentence of baselineSentences(baseline.hosts ?? [], shownName)) this.remark(sentence);
    for (const sentence of silentSources(views)) this.remark(sentence);
  }

  /** Pulls may have been started: the run has viewers again. */
  private takeStarts(): void {
    const { pulls, published, state } = this.data;
    const started = pulls.list.length + published.list.length;
    if (started === this.started) return;
    this.started = started;
    this.data.drainedMs = undefined;
    if (state === 'preparing') this.data.setState('running');
    this.updatePhase();
  }

  /** The plan's own early end: not a stop by the user, so the run gets a verdict. */
  private endIfReached(): void {
    if (this.data.stopReached && !this.data.isClosing) void this.tearDown.leaveAll(false).then(() => this.advance());
  }

  /** Does whatever is due. Called on every tick and for every change of a node, so that nothing waits for a timer. */
  private advance(): void {
    const { data, rampUp, tearDown } = this;
    if (this.state === 'ended' || data.isFinishing) return;
    const nowMs = this.deps.clock.now();
    rampUp.advance();
    this.takeStarts();
    const steps = data.pulls.list.map((pull) => ({ pull, step: nextStep(nowMs, pull.seen()) }));
    for (const { pull, step } of steps) {
      if (step === 'full') this.full(pull, nowMs);
      tearDown.advance(pull, step, nowMs);
    }
    const ofPublishers = this.advancePublishers(nowMs);
    this.updatePhase();
    const hasStarted = this.started > 0 || data.isClosing || data.failure !== undefined;
    const isControlled = [...data.pulls.controlled, ...data.published.controlledList].some(({ isOver }) => !isOver);
    const isOver = [...steps.map(({ step }) => step), ...ofPublishers].every((step) => step === 'gone');
    if (!hasStarted || isControlled || this.opening > 0 || !isOver) return;
    if (tearDown.isAgreed(nowMs)) void this.finish();
  }

  /** Does what is due for publishers alone; returns the step of each group. */
  private advancePublishers(nowMs: number): readonly PullStep[] {
    const { data, tearDown } = this;
    const { published, headline, log } = data;
    // A publication that the user has ended by itself ends this part of the run.
    if (published.update().length > 0) {
      tearDown.markStopped();
      // A size can no longer be reached.
      if (published.controlled && !published.controlled.isOver) void tearDown.endSearch(published.controlled);
    }
    return published.list.map((group) => {
      const step = nextStep(nowMs, group.seen());
      if (step === 'full') {
        group.fullMs = nowMs;
        headline.update(nowMs);
        void published.readProblems(group);
        // Its controller logs its own sentences.
        if (!group.isControlled)
          log.say(publishersFullSentence(group.view(), nowMs - (group.startedMs ?? nowMs)), 'audience');
      }
      tearDown.advancePublishers(group, step, nowMs);
      return step;
    });
  }

  private full(pull: Pull, nowMs: number): void {
    const { headline, log } = this.data;
    pull.fullMs = nowMs;
    // Its controller logs its own sentences.
    if (pull.isControlled) return;
    headline.update(nowMs);
    headline.measureArrivals().catch((error: unknown) => {
      this.data.problem(`Ramp-up time is only as precise as the samples: ${(error as Error).message}`);
    });
    log.say(rampEndSentence(pull.connected, pull.plan), 'audience');
  }

  private async finish(): Promise<void> {
    const lostTesters = [...this.tearDown.lostTesters, ...this.members.lost];
    const { lostOrigins } = this.router;
    const publications = [...this.rampUp.publications.values()];
    this.browserViewers.close();
    const { shortGroups } = this.members;
    await endRun(this.data, { publications, lostTesters, lostOrigins, shortGroups, pauses: this.pauses });
    this.markEnded();
  }

  private updatePhase(): void {
    const { data } = this;
    if (this.started === 0) return;
    const { name, sentence } = phaseNow(data);
    if (name === 'hold' && !data.log.phases.some((phase) => phase.name === 'hold')) this.callHooks('full');
    if (data.log.phase(name, sentence) && name === 'drain') data.setState('stopping');
  }

  private callHooks(at: 'start' | 'full'): void {
    void callHooks(at, this.view(), this.deps, (sentence) => this.remark(sentence));
  }

  private saveView(): void {
    try {
      this.deps.writer.setView(this.view());
    } catch (error) {
      this.data.problem((error as Error).message);
    }
  }
}
