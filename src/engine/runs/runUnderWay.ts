import type { NodeView } from '../../domain/node';
import type { Plan, PlanPublish } from '../../domain/plan';
import type {
  JobView,
  RunEvent,
  RunState,
  RunView,
  TesterLimit,
  Verdict,
  ViewerRow,
} from '../../domain/run';
import type { Sample } from '../../domain/series';
import type { FleetNode, NodeNews } from '../fleet/node';
import { endSentence, judged } from './conclude';
import { endsMs, judgedPhases, nextStep, phaseOf } from './course';
import { Departures } from './departures';
import { DirectedAudience } from './direct/directedAudience';
import { directorOf } from './direct/directorOf';
import { Headline } from './headline';
import { RunIntake } from './intake';
import { prepare } from './prepare';
import { Pull } from './pull';
import { refusals, venueOf, type Venue } from './pullToBegin';
import { Pulls } from './pulls';
import { RunLog } from './runLog';
import { viewsOf, type Nodes, type RunDeps } from './runParts';
import { refusedJobs, refusedShare } from './refusal';
import { fullSentence, phaseSentence, pullSentence, seconds, viewers } from './sentences';
import type { RunReader } from '../store';
import { TesterLimits } from './watch/testers';

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
  private readonly abort = new AbortController();
  private readonly ownPublications: string[] = [];
  private readonly headline: Headline;
  private lastNodes: readonly NodeView[];
  private verdict: Verdict | undefined;
  /** As the whole of the samples shows them, once the run has ended. */
  private judgedLimits: readonly TesterLimit[] | undefined;
  private failure: string | undefined;
  private goneMs: number | undefined;
  private endedMs: number | undefined;
  private forced = false;
  private preparing = 0;
  private finishing = false;
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
    this.intake = new RunIntake(
      {
        ...deps,
        log: this.log,
        pulls: this.pulls,
        limits: this.limits,
        nodes: () => this.nodes,
        connected: () => this.headline.figures.connected,
        emptied: () => this.goneMs !== undefined,
      },
      plan.expect,
    );
    this.lastNodes = viewsOf(nodes);
    this.ended = new Promise((resolve) => (this.markEnded = resolve));
  }

  begin(): void {
    this.log.say(`Run started: ${pullSentence(this.plan.pull)}`);
    this.log.phase('prepare', `Prepare: ${this.nodeNames.join(' and ')}`);
    void this.addAll();
  }

  /** The plan's audiences; the others once the first has begun, since with it everything is made ready. */
  private async addAll(): Promise<void> {
    await this.add(this.plan, this.nodes);
    const { also = [] } = this.plan;
    if (this.failure !== undefined || this.abort.signal.aborted) return;
    await Promise.all(also.map((pull) => this.add({ ...this.plan, pull, also: [] }, this.nodes, true)));
  }

  /** Adds a plan's pull; `nodes` are those of the run with the plan's own. Failing to get ready ends the run only when it is its first pull. */
  async add(plan: Plan, nodes: Nodes, isOwn = false): Promise<void> {
    const first = this.pulls.list.length === 0 && this.preparing === 0;
    this.nodes = nodes;
    this.preparing += 1;
    if (!first) {
      const isNew = ({ node, stream }: PlanPublish): boolean =>
        !this.plan.publish.some((before) => before.node === node && before.stream === stream);
      this.plan = {
        ...this.plan,
        nodes: { ...this.plan.nodes, ...plan.nodes },
        // Also tells which of the nodes have something to do: the others are only watched.
        publish: [...this.plan.publish, ...plan.publish.filter(isNew)],
        ...(isOwn ? {} : { also: [...(this.plan.also ?? []), plan.pull, ...(plan.also ?? [])] }),
      };
      this.log.say(`${isOwn ? 'Audience' : 'Pull'} added: ${pullSentence(plan.pull)}`);
    }
    try {
      const { remarks } = await prepare(plan, nodes, this.deps.publications, this.abort.signal, (job) =>
        this.ownPublications.push(job),
      );
      for (const sentence of remarks) this.log.say(sentence);
      if (!this.abort.signal.aborted) await this.startPull(plan, nodes, first);
    } catch (error) {
      const sentence = (error as Error).message;
      this.log.say(`The pull could not be started: ${sentence}`);
      for (const limit of refusedShare(error, this.deps.now())) this.limits.refuse(limit);
      if (first) this.failure = sentence;
    } finally {
      this.preparing -= 1;
    }
    this.advance();
  }

  /** Sends everybody home; `force` without a word. Resolves with the number still there. */
  async stop(force: boolean): Promise<number> {
    if (this.state === 'ended') return 0;
    this.log.say(force ? 'Stop by force' : `Stop: ${viewers(this.pulls.present())} to send home`, 'you');
    this.departures.markStopped();
    this.forced ||= force;
    this.abort.abort();
    for (const audience of this.pulls.directed) audience.close();
    this.setState('stopping');
    await Promise.all(this.pulls.list.map((pull) => this.departures.leave(pull, force)));
    this.advance();
    return this.pulls.present();
  }

  /** Ends one job; undefined when this run has no such job. */
  async stopJob(id: string, force: boolean): Promise<number | undefined> {
    const found = this.pulls.find(id);
    if (!found) return undefined;
    const { pull, job } = found;
    this.log.say(
      `Stop ${id}: ${viewers(job.latest?.present ?? 0)} of ${job.tester.name} to send home`,
      'you',
    );
    this.departures.markStopped();
    await this.departures.leaveJob(pull, job, force);
    this.advance();
    return job.latest?.present ?? 0;
  }

  rename(name: string): void {
    this.plan = { ...this.plan, name };
    this.deps.changed();
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

  get nodeNames(): string[] {
    return [...this.nodes.keys()];
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
    if (news.kind === 'state' && (news.state === 'failed' || news.state === 'idle'))
      this.departures.lose(node, news.problem ?? `${name} was stopped.`);
    this.advance();
  }

  tick(nowMs: number): void {
    if (this.state === 'ended') return;
    this.headline.update(nowMs);
    this.intake.watch(this.headline.figures);
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
      endsMs: this.state === 'ended' ? undefined : endsMs(this.pulls.seen(), this.pulls.directed.map(({ director }) => director.endsMs)),
      phases: this.log.phases,
      figures: this.headline.figures,
      failures: this.pulls.failures(),
      testerLimits: this.judgedLimits ?? this.limits.all,
      preflight: this.deps.preflight,
      limit: this.pulls.directed.find(({ director }) => director.found)?.director.found,
      verdict: this.verdict,
      readOnly: false,
    };
  }

  private async startPull(plan: Plan, nodes: Nodes, first: boolean): Promise<void> {
    const venue = venueOf(plan.pull, nodes);
    if (!venue) return;
    const director = directorOf(plan, { view: () => this.view(), reading: (read) => this.reading(read) });
    if (!director) return this.beginPull(new Pull(plan.pull, venue.testers, this.deps.nextJob), venue, first);
    const audience = new DirectedAudience(plan.pull, venue, director, {
      now: this.deps.now,
      nextJob: this.deps.nextJob,
      begin: (part, where) => void this.beginPull(part, where, first && this.pulls.list.length === 0),
      leave: (part) => void this.departures.leave(part, false),
      say: (sentence) => this.log.say(sentence),
    });
    this.pulls.addDirected(audience);
    audience.step();
  }

  private async beginPull(pull: Pull, { url, nominalFps }: Venue, first: boolean): Promise<void> {
    this.pulls.add(pull);
    this.goneMs = undefined;
    if (this.state === 'preparing') this.setState('running');
    const started = pull.start(this.deps.now(), url, nominalFps);
    this.updatePhase();
    for (const sentence of await started) this.log.say(sentence);
    for (const sentence of refusals(pull)) this.log.say(sentence);
    for (const limit of refusedJobs(pull, this.deps.now())) this.limits.refuse(limit);
    if (first && pull.jobs.every((job) => job.state === 'failed')) this.failure = pull.jobs[0]?.problem;
    // Stopped, or sent home again, while the orders were on their way: what was accepted meanwhile leaves at once.
    if (this.abort.signal.aborted || pull.leaveMs !== undefined) await this.departures.leave(pull, false);
  }

  /** Does whatever is due. Called on every tick and on every piece of news, so that nothing waits for a timer. */
  private advance(): void {
    if (this.state === 'ended' || this.finishing) return;
    const nowMs = this.deps.now();
    for (const audience of this.pulls.directed) audience.step();
    const steps = this.pulls.list.map((pull) => ({ pull, step: nextStep(nowMs, pull.seen()) }));
    for (const { pull, step } of steps) {
      if (step === 'full') this.full(pull, nowMs);
      if (step === 'leave') void this.departures.leave(pull, false);
      if (step === 'force') void this.departures.leave(pull, true);
      if (step === 'kill') this.departures.kill(pull);
      // A tester that could not be told to leave is told again.
      if (step === 'wait' && pull.leaveMs !== undefined) void this.departures.leave(pull, false);
    }
    this.updatePhase();
    const begun = this.pulls.list.length > 0 || this.abort.signal.aborted || this.failure !== undefined;
    const isDirected = this.pulls.directed.some((audience) => !audience.isOver);
    if (!begun || isDirected || this.preparing > 0 || steps.some(({ step }) => step !== 'gone')) return;
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
    this.setState('stopping');
    const rows = await this.pulls.rows().catch((error: unknown) => {
      this.log.say(`The list of viewers is missing: ${(error as Error).message}`);
      return [];
    });
    for (const job of this.ownPublications)
      await this.deps.publications
        .stop(job)
        .catch((error: unknown) => this.log.say((error as Error).message));
    this.headline.update(this.deps.now());
    this.endedMs = this.deps.now();
    this.log.endPhase();
    try {
      this.log.say(endSentence(this.pulls.list.length > 0, this.pulls.present(), this.intake.origins.left()));
      if (rows.length > 0) this.deps.writer.setViewers(rows);
      const { failure } = this;
      const { stoppedMs, lostTesters } = this.departures;
      const view = { ...this.view(), phases: judgedPhases(this.log.phases, this.pulls.seen()) };
      const refused = this.limits.refusals;
      const judgement = judged({ view, stoppedMs, failure, lostTesters, refused }, this.deps);
      this.verdict = judgement.verdict;
      this.judgedLimits = judgement.testerLimits;
      this.log.say(`${this.verdict.verdict.toUpperCase()}: ${this.verdict.sentence}`);
      this.setState('ended');
      this.deps.writer.finish(this.view());
    } catch (error) {
      this.setState('ended');
      this.deps.problem(`The run file could not be finished: ${(error as Error).message}`);
    }
    this.deps.changed();
    this.markEnded();
  }

  private updatePhase(): void {
    if (this.pulls.list.length === 0) return;
    const name = phaseOf(this.pulls.seen(), this.pulls.directed.map(({ phase }) => phase));
    const sentence = phaseSentence(name, { ...this.counts(), present: this.pulls.present() });
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

  private reading<T>(read: (reader: RunReader) => T): T {
    const reader = this.deps.library.open(this.id);
    try {
      return read(reader);
    } finally {
      reader.close();
    }
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
