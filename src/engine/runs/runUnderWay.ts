import { isDefaultLayout, type NamedLayout } from '../../domain/layout/chartLayout';
import type { NodeView } from '../../domain/node';
import type { Plan } from '../../domain/plan/plan';
import type { JobView, RunEvent, RunState, RunView, TesterLimit, Verdict, ViewerRow } from '../../domain/run';
import { busyNow } from '../../domain/otherLoad/otherLoad';
import type { LimitFound } from '../../domain/search/found';
import { stoppedSearch } from '../../domain/search/limitText';
import type { Sample } from '../../domain/series';
import type { StopReached } from '../../domain/verdict/judged';
import type { ViewerDetail } from '../../domain/viewerDetail';
import type { FleetNode, NodeNews } from '../fleet/node';
import { Baseline, defaultBaselineMs } from './baseline';
import { endSentence, judged } from './conclude';
import { endsMs, judgedPhases, nextStep, phaseOf } from './course';
import { Departures } from './departures';
import { firstEnd } from './earlyEnd';
import { Entrance } from './entrance';
import { Headline } from './headline';
import { RunIntake } from './intake';
import { callHooks } from './hooks';
import { planWith } from './planWith';
import type { Pull } from './pull';
import { Pulls } from './pulls';
import { loadChecks } from './loadCheck';
import { RunLog } from './runLog';
import { viewsOf, type Nodes, type RunDeps } from './runParts';
import {
  baselineSentences,
  clockStepSentence,
  fullSentence,
  pauseSentence,
  phaseSentence,
  pullSentence,
  seconds,
  viewers,
} from './sentences';
import { readKept } from '../store';
import { OriginLosses } from './watch/origins';
import { StopWhen } from './watch/stopWhen';
import { TesterLimits } from './watch/testers';
import { audiencesOf } from '../../domain/shares';

/** How long the origin may still count viewers after the last one has left the testers. */
const agreePatienceMs = 8000;
/** The same after a stop by force: nobody said goodbye, so the origin has to find out by itself, and somebody is waiting. */
const forcedPatienceMs = 3000;

/** One run from its plan to its verdict. Time moves it on by `tick`, nodes by `take`, people by `stop`. */
export class RunUnderWay {
  state: RunState = 'preparing';
  readonly ended: Promise<void>;
  private readonly log: RunLog;
  private readonly intake: RunIntake;
  private readonly pulls = new Pulls();
  private readonly limits: TesterLimits;
  private readonly departures: Departures;
  private readonly closing = new AbortController();
  private readonly entrance: Entrance;
  private readonly stopWhen: StopWhen;
  private readonly originLosses = new OriginLosses();
  private gaveUp: StopReached | undefined;
  private readonly headline: Headline;
  private readonly baseline: Baseline;
  private lastNodes: readonly NodeView[];
  private verdict: Verdict | undefined;
  /** As the whole of the samples shows them, once the run has ended. */
  private judgedLimits: readonly TesterLimit[] | undefined;
  private goneMs: number | undefined;
  private noViewersMs: number | undefined;
  private endedMs: number | undefined;
  private forced = false;
  private finishing = false;
  private readonly pauses: number[] = [];
  private layout: NamedLayout | undefined;
  private markEnded: () => void = () => undefined;

  constructor(
    readonly id: string,
    private plan: Plan,
    private nodes: Nodes,
    readonly startedMs: number,
    private readonly deps: RunDeps,
  ) {
    this.log = new RunLog(deps.writer, deps.now, deps.event, deps.problem);
    this.departures = new Departures(this.pulls, deps.now);
    this.limits = new TesterLimits(startedMs);
    this.headline = new Headline(
      { pulls: this.pulls, origins: () => this.intake.origins, problem: deps.problem },
      startedMs,
      plan.pull.viewers,
    );
    this.baseline = new Baseline(deps.now, () => this.nodes, deps.hostLoads);
    this.intake = new RunIntake(
      {
        ...deps,
        log: this.log,
        pulls: this.pulls,
        limits: this.limits,
        others: (name) => this.baseline.shareOf(name),
        nodes: () => this.nodes,
        connected: () => this.headline.figures.connected,
        emptied: () => this.goneMs !== undefined,
        recorded: (samples) => {
          this.baseline.take(samples);
          for (const sample of samples) this.giveUp(this.stopWhen.sample(sample));
        },
      },
      plan.expect,
    );
    this.entrance = new Entrance({
      deps,
      pulls: this.pulls,
      departures: this.departures,
      limits: this.limits,
      log: this.log,
      evidence: { view: () => this.view(), reading: (read) => readKept(deps.library, this.id, read) },
      closing: this.closing.signal,
      baseline: () => this.measureBaseline(),
      began: () => this.began(),
    });
    this.stopWhen = new StopWhen(
      plan.stopWhen,
      audiencesOf(plan).map(({ from }) => from),
      (name) => {
        const share = this.baseline.shareOf(name);
        const host = this.nodes.get(name)?.host;
        return share && host !== undefined ? busyNow(host, name, share) : undefined;
      },
    );
    this.lastNodes = viewsOf(nodes);
    this.ended = new Promise((resolve) => (this.markEnded = resolve));
  }

  begin(): void {
    this.log.say(`Run started: ${pullSentence(this.plan.pull)}`);
    for (const { sentence } of this.loadBefore()) this.log.say(sentence);
    this.log.phase('prepare', `Prepare: ${this.lastNodes.map(({ name }) => name).join(' and ')}`);
    void callHooks('start', this.view(), this.deps.secrets, (sentence) => this.log.say(sentence));
    void this.open(this.plan);
  }

  /** The check "load before the test" of the hosts of this run. */
  private loadBefore(): ReturnType<typeof loadChecks> {
    const { hostLoads } = this.deps;
    return hostLoads ? loadChecks(hostLoads, viewsOf(this.nodes), this.plan.expect.cpu?.value) : [];
  }

  /** Adds another plan's audiences; `nodes` are those of the run with the plan's own. */
  async add(plan: Plan, nodes: Nodes): Promise<void> {
    this.nodes = nodes;
    this.plan = planWith(this.plan, plan);
    this.log.say(`Pull added: ${pullSentence(plan.pull)}`);
    await this.open(plan);
  }

  /** A plan's audiences; the others once the first has begun, since with it everything is made ready. */
  private async open(plan: Plan): Promise<void> {
    const { entrance, nodes } = this;
    await entrance.open(plan, nodes, entrance.isUntouched);
    this.advance();
    const { also = [] } = plan;
    if (entrance.failure !== undefined || this.closing.signal.aborted) return;
    await Promise.all(
      also.map((pull) => {
        this.log.say(`Audience added: ${pullSentence(pull)}`);
        return entrance.open({ ...plan, pull, also: [] }, nodes, false);
      }),
    );
    this.advance();
  }

  /** Sends everybody home; `force` without a word. Resolves with the number still there. */
  async stop(force: boolean): Promise<number> {
    if (this.state === 'ended') return 0;
    this.log.say(force ? 'Stop by force' : `Stop: ${viewers(this.pulls.present())} to send home`, 'you');
    this.departures.markStopped();
    this.forced ||= force;
    await this.sendHome(force);
    return this.pulls.present();
  }

  /** Ends one job; undefined when this run has no such job. */
  async stopJob(id: string, force: boolean): Promise<number | undefined> {
    const view = this.jobs().find((job) => job.id === id);
    const present = (): number =>
      this.jobs().reduce((sum, job) => sum + (job.id === id && job.kind === 'pull' ? job.present : 0), 0);
    if (!view) return undefined;
    this.log.say(`Stop ${id}: ${viewers(present())} of ${view.node} disconnect`, 'you');
    this.departures.markStopped();
    const directed = this.pulls.findDirected(id);
    const plain = this.pulls.find(id);
    if (directed) directed.audience.withdraw(directed.tester, force);
    else if (plain) await this.departures.leaveJob(plain.pull, plain.job, force);
    this.advance();
    return present();
  }

  rename(name: string): void {
    this.plan = { ...this.plan, name };
    this.deps.changed();
  }

  /** How the charts of this run are arranged. */
  setLayout(layout: NamedLayout): void {
    this.layout = isDefaultLayout(layout.layout) ? undefined : layout;
  }

  /** A sentence of the run itself. */
  remark(sentence: string): void {
    this.log.say(sentence);
  }

  note(text: string, timeMs: number): RunEvent {
    return this.log.keep({ timeMs, kind: 'note', mark: 'note', who: 'you', sentence: text });
  }

  playerFroze(timeMs: number, freezeMs: number): void {
    const sentence = `Picture froze for ${seconds(freezeMs)}`;
    this.log.keep({ timeMs, kind: 'player', mark: 'freeze', who: 'player', sentence });
  }

  /** The names of a node in this run; a node that is not part of it has none. */
  namesOf(node: FleetNode): string[] {
    return this.intake.namesOf(node);
  }

  get boundNodes(): Nodes {
    return this.nodes;
  }

  /** Keeps samples that were measured under this run's names. */
  record(samples: readonly Sample[]): void {
    if (this.state !== 'ended') this.intake.record(samples);
  }

  take(node: FleetNode, news: NodeNews): void {
    const [name] = this.namesOf(node);
    if (this.state === 'ended' || name === undefined) return;
    this.intake.take(node, name, news, this.deps.now());
    if (news.kind === 'said' && news.name === 'left-alone')
      this.departures.leftAlone(node, news.timeMs, news.sentence);
    if (news.kind === 'state' && (news.state === 'failed' || news.state === 'idle'))
      this.departures.lose(node, news.problem ?? `${name} was stopped.`);
    if (news.kind === 'state' && this.isPulledFrom(name))
      this.originLosses.state({ ...node.view(name), id: name }, news, this.deps.now(), this.startedMs);
    this.advance();
  }

  /** Whether viewers are to come from it now: an origin may be stopped once they have left. */
  private isPulledFrom(name: string): boolean {
    return this.pulls.list.some((pull) => pull.plan.from === name && watches(pull));
  }

  private get isAnyTesterHeard(): boolean {
    return this.pulls.list.some(
      (pull) => watches(pull) && pull.plan.by.some((name) => this.nodes.get(name)?.state === 'live'),
    );
  }

  /** The clock of the engine's machine was set. The run's times go on, and its file says so. */
  clockStepped(stepMs: number): void {
    if (this.state !== 'ended') this.log.say(clockStepSentence('this machine', stepMs));
  }

  /** The engine's own process did not run for a while. What the nodes have measured meanwhile is still to be read. */
  paused(pausedMs: number): void {
    if (this.state === 'ended') return;
    this.pauses.push(pausedMs);
    this.log.say(pauseSentence(pausedMs));
  }

  tick(nowMs: number): void {
    if (this.state === 'ended') return;
    this.headline.update(nowMs);
    this.intake.watch(this.headline.figures);
    this.originLosses.media(this.headline.figures.mediaInMbps, this.isAnyTesterHeard);
    this.giveUp(this.stopWhen.figures(this.headline.figures));
    this.advance();
    if (!this.finishing) this.keepView();
    this.deps.changed();
  }

  jobs(): JobView[] {
    return this.pulls.views();
  }

  /** The testers' own lists, while they are there to be asked. */
  viewerRows(): Promise<ViewerRow[]> {
    return this.pulls.rows();
  }

  viewerDetail(job: string, viewer: number): Promise<ViewerDetail> {
    return this.pulls.detail(job, viewer);
  }

  view(): RunView {
    if (this.state !== 'ended') this.lastNodes = viewsOf(this.nodes);
    return {
      id: this.id,
      name: this.plan.name,
      state: this.state,
      plan: this.plan,
      nodes: this.lastNodes,
      startedMs: this.startedMs,
      endedMs: this.endedMs,
      endsMs:
        this.state === 'ended'
          ? undefined
          : endsMs(
              this.pulls.seen(),
              this.pulls.directed.map(({ director }) => director.endsMs),
            ),
      phases: this.log.phases,
      figures: this.headline.figures,
      failures: this.pulls.failures(),
      testerLimits: this.judgedLimits ?? this.limits.all,
      preflight: this.deps.preflight,
      baseline: this.baseline.hosts,
      ...(this.baseline.otherLoad.length > 0 ? { otherLoad: this.baseline.otherLoad } : {}),
      limit: this.limitFound(),
      verdict: this.verdict,
      earlyEnd: firstEnd({
        startedMs: this.startedMs,
        failure: this.entrance.failure,
        stoppedMs: this.departures.stoppedMs,
        stopCondition: this.gaveUp,
        noViewersMs: this.noViewersMs,
      }),
      ...(this.layout && { layout: this.layout }),
      readOnly: false,
    };
  }

  /** What a search has found; once nobody more is to come, a search that had not ended was stopped. */
  private limitFound(): LimitFound | undefined {
    const found = this.pulls.directed.flatMap(({ director }) => director.found ?? [])[0];
    return found && (this.finishing || this.closing.signal.aborted) ? stoppedSearch(found) : found;
  }

  private async measureBaseline(): Promise<void> {
    const { baselineMs = defaultBaselineMs } = this.deps;
    if (baselineMs <= 0) return;
    this.log.phase('baseline', `Baseline: hosts are measured for ${seconds(baselineMs)} without viewers`);
    this.deps.changed();
    await this.baseline.measure(baselineMs, this.closing.signal);
    const shownName = (node: string): string => this.lastNodes.find(({ id }) => id === node)?.name ?? node;
    for (const sentence of baselineSentences(this.baseline.hosts ?? [], shownName)) this.log.say(sentence);
  }

  private began(): void {
    this.goneMs = undefined;
    if (this.state === 'preparing') this.setState('running');
    this.updatePhase();
  }

  /** The plan's own end before its time: nobody's stop, so the run is judged. */
  private giveUp(gaveUp: StopReached | undefined): void {
    if (!gaveUp || this.gaveUp || this.closing.signal.aborted) return;
    this.gaveUp = gaveUp;
    const { timeMs, node, sentence } = gaveUp;
    this.log.keep({ timeMs, kind: 'threshold', mark: 'limit', node, who: node ?? 'audience', sentence });
    void this.sendHome(false);
  }

  private async sendHome(force: boolean): Promise<void> {
    this.closing.abort();
    for (const audience of this.pulls.directed) audience.close();
    this.setState('stopping');
    await Promise.all(this.pulls.list.map((pull) => this.departures.leave(pull, force)));
    this.advance();
  }

  /** Does whatever is due. Called on every tick and on every piece of news, so that nothing waits for a timer. */
  private advance(): void {
    if (this.state === 'ended' || this.finishing) return;
    const nowMs = this.deps.now();
    for (const audience of this.pulls.directed) audience.step();
    const steps = this.pulls.list.map((pull) => ({ pull, step: nextStep(nowMs, pull.seen()) }));
    for (const { pull, step } of steps) {
      if (step === 'full') this.full(pull, nowMs);
      if (step === 'leave') {
        // A pull with a viewer in it leaves because its time is over.
        if (pull.connected === 0) this.noViewersMs ??= nowMs;
        void this.departures.leave(pull, false);
      }
      if (step === 'force') void this.departures.leave(pull, true);
      if (step === 'kill') this.departures.kill(pull);
      // A tester that could not be told to leave is told again.
      if (step === 'wait' && pull.leaveMs !== undefined) void this.departures.leave(pull, false);
    }
    this.updatePhase();
    const begun =
      this.pulls.list.length > 0 || this.closing.signal.aborted || this.entrance.failure !== undefined;
    const isDirected = this.pulls.directed.some((audience) => !audience.isOver);
    if (!begun || isDirected || this.entrance.isBusy || steps.some(({ step }) => step !== 'gone')) return;
    this.goneMs ??= nowMs;
    const agreed = steps.length === 0 || this.intake.origins.areEmpty(this.goneMs - 1000);
    const patienceMs = this.forced ? forcedPatienceMs : agreePatienceMs;
    if (agreed || nowMs - this.goneMs > patienceMs) void this.finish();
  }

  private full(pull: Pull, nowMs: number): void {
    pull.fullMs = nowMs;
    // Its director has its own words for it.
    if (pull.isDirected) return;
    this.headline.update(nowMs);
    void this.headline.measureArrivals();
    this.log.say(fullSentence(pull.connected, pull.plan.viewers), 'audience');
  }

  private async finish(): Promise<void> {
    this.finishing = true;
    this.baseline.close();
    this.setState('stopping');
    const say = (sentence: string): void => this.log.say(sentence);
    const rows = await this.pulls.detailedRows(this.id, say).catch((error: unknown) => {
      this.log.say(`The list of viewers is missing: ${(error as Error).message}`);
      return [];
    });
    for (const job of this.entrance.publications)
      await this.deps.publications
        .release(job)
        .catch((error: unknown) => this.log.say((error as Error).message));
    this.headline.update(this.deps.now());
    this.endedMs = this.deps.now();
    this.log.endPhase();
    try {
      this.log.say(endSentence(this.pulls.list.length > 0, this.pulls.present(), this.intake.origins.left()));
      if (rows.length > 0) this.deps.writer.setViewers(rows);
      const { failure } = this.entrance;
      const { stoppedMs, lostTesters } = this.departures;
      const view = { ...this.view(), phases: judgedPhases(this.log.phases, this.pulls.seen()) };
      const refused = this.limits.refusals;
      this.deps.writer.secure();
      const judgement = await judged(
        {
          ...{ view, stoppedMs, failure, lostTesters, refused, gaveUp: this.gaveUp, pauses: this.pauses },
          lostOrigins: this.originLosses.all,
        },
        this.deps,
      );
      this.verdict = judgement.verdict;
      this.judgedLimits = judgement.testerLimits;
      this.log.say(`${this.verdict.verdict.toUpperCase()}: ${this.verdict.sentence}`);
      await callHooks('end', this.view(), this.deps.secrets, (sentence) => this.log.say(sentence));
      this.setState('ended');
      this.deps.writer.finish(this.view());
      await this.deps.saved
        .call('compact', { run: this.id })
        .catch((error: Error) =>
          this.deps.problem(`The run file is not in its final order: ${error.message}`),
        );
    } catch (error) {
      this.setState('ended');
      this.deps.problem(`The run file could not be finished: ${(error as Error).message}`);
    }
    this.deps.changed();
    this.markEnded();
  }

  private updatePhase(): void {
    if (this.pulls.list.length === 0) return;
    const name = phaseOf(
      this.pulls.seen(),
      this.pulls.directed.map(({ phase }) => phase),
    );
    const sentence = phaseSentence(name, { ...this.counts(), present: this.pulls.present() });
    if (name === 'hold' && !this.log.phases.some((phase) => phase.name === 'hold'))
      void callHooks('full', this.view(), this.deps.secrets, (said) => this.log.say(said));
    if (this.log.phase(name, sentence) && name === 'drain') this.setState('stopping');
  }

  /** Directed audiences are told of by what was wished for last: the figures lag behind a moment that is just beginning. */
  private counts(): { readonly requested: number; readonly connected: number } {
    const { directed } = this.pulls;
    if (directed.length === 0) return this.headline.figures;
    const plain = this.pulls.list.filter((pull) => !pull.isDirected);
    const wanted = directed.reduce((sum, audience) => sum + audience.wantedNow, 0);
    const requested = plain.reduce((sum, pull) => sum + pull.plan.viewers, wanted);
    return { requested, connected: requested };
  }

  private keepView(): void {
    try {
      this.deps.writer.setView(this.view());
    } catch (error) {
      this.deps.problem((error as Error).message);
    }
  }

  private setState(state: RunState): void {
    if (this.state === state) return;
    this.state = state;
    this.deps.changed();
  }
}

function watches({ startedMs, leaveMs }: Pull): boolean {
  return startedMs !== undefined && leaveMs === undefined;
}
