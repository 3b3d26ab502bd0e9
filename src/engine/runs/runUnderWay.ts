import type { NodeView } from '../../domain/node';
import type { Plan } from '../../domain/plan';
import type {
  JobView,
  Phase,
  PhaseName,
  RunEvent,
  RunFigures,
  RunState,
  RunView,
  Verdict,
} from '../../domain/run';
import type { Sample } from '../../domain/series';
import type { AgentNode, NodeNews } from '../fleet/agentNode';
import type { Publications } from '../fleet/publications';
import { samplesOf } from '../samples';
import type { RunLibrary, RunWriter } from '../store';
import { audienceValues, failureGroups } from './audience';
import { endsMs, nextStep, phaseOf } from './course';
import { conclude } from './conclude';
import { emptyFigures, nextFigures } from './figures';
import { prepare } from './prepare';
import { Pull, type PullJob } from './pull';
import { pullSentence, seconds, viewers, whole } from './sentences';
import { RunWatchers, type NewEvent } from './watchers';

export interface RunDeps {
  readonly now: () => number;
  readonly publications: Publications;
  readonly library: RunLibrary;
  readonly writer: RunWriter;
  readonly nextJob: () => string;
  readonly samples: (samples: readonly Sample[]) => void;
  readonly event: (event: RunEvent) => void;
  /** The view or the jobs are not what they were. */
  readonly changed: () => void;
  /** Something that is nobody's fault here and must be told. */
  readonly problem: (sentence: string) => void;
}

/** How long the origin may still count viewers after the last one has left the testers. */
const agreePatienceMs = 8000;
const figuresFreshMs = 3500;

/** One run from its plan to its verdict. Time moves it on by `tick`, nodes by `take`, people by `stop`. */
export class RunUnderWay {
  state: RunState = 'preparing';
  readonly ended: Promise<void>;
  private readonly watchers: RunWatchers;
  private readonly pulls: Pull[] = [];
  private readonly phases: Phase[] = [];
  private readonly abort = new AbortController();
  private readonly ownPublications: string[] = [];
  private readonly origins = new Map<
    AgentNode,
    { timeMs: number; viewers: number; degraded?: number; outMbps?: number }
  >();
  private figures: RunFigures;
  private plan: Plan;
  private lastViews: readonly NodeView[] = [];
  private verdict: Verdict | undefined;
  private failure: string | undefined;
  private stoppedByPerson = false;
  private goneMs: number | undefined;
  private endedMs: number | undefined;
  private preparing = 0;
  private finishing = false;
  private markEnded: () => void = () => undefined;

  constructor(
    readonly id: string,
    plan: Plan,
    private nodes: ReadonlyMap<string, AgentNode>,
    readonly startedMs: number,
    private readonly deps: RunDeps,
  ) {
    this.plan = plan;
    this.watchers = new RunWatchers(plan.expect);
    this.figures = emptyFigures(startedMs, plan.pull.viewers);
    this.ended = new Promise((resolve) => (this.markEnded = resolve));
  }

  /** A run as it is before anything has happened, to begin its file with. */
  static firstView(
    id: string,
    plan: Plan,
    nodes: ReadonlyMap<string, AgentNode>,
    startedMs: number,
  ): RunView {
    return {
      id,
      name: plan.name,
      state: 'preparing',
      plan,
      nodes: viewsOf(nodes),
      startedMs,
      phases: [],
      figures: emptyFigures(startedMs, plan.pull.viewers),
      failures: [],
      readOnly: false,
    };
  }

  begin(): void {
    this.event({
      kind: 'run',
      mark: 'none',
      who: 'run',
      sentence: `Run started: ${pullSentence(this.plan.pull)}`,
    });
    this.phase('prepare');
    void this.add(this.plan, this.nodes);
  }

  /** Adds a plan's pull; `nodes` are those of the run with the plan's own. Failing to get ready ends the run only when it is its first pull. */
  async add(plan: Plan, nodes: ReadonlyMap<string, AgentNode>): Promise<void> {
    this.nodes = nodes;
    const first = this.pulls.length === 0 && this.preparing === 0;
    this.preparing += 1;
    if (!first) {
      this.plan = { ...this.plan, nodes: { ...this.plan.nodes, ...plan.nodes } };
      this.event({
        kind: 'run',
        mark: 'none',
        who: 'run',
        sentence: `Pull added: ${pullSentence(plan.pull)}`,
      });
    }
    try {
      const { remarks } = await prepare(plan, nodes, this.deps.publications, this.abort.signal, (job) =>
        this.ownPublications.push(job),
      );
      for (const sentence of remarks) this.event({ kind: 'stream', mark: 'none', who: 'run', sentence });
      if (!this.abort.signal.aborted) await this.startPull(plan, nodes);
    } catch (error) {
      const sentence = (error as Error).message;
      this.event({
        kind: 'run',
        mark: 'none',
        who: 'run',
        sentence: `The pull could not be started: ${sentence}`,
      });
      if (first) this.failure = sentence;
    } finally {
      this.preparing -= 1;
    }
    this.advance();
  }

  /** Sends everybody home; `force` without a word. Resolves with the number still there. */
  async stop(force: boolean): Promise<number> {
    if (this.state === 'ended') return 0;
    if (!this.stoppedByPerson)
      this.event({
        kind: 'run',
        mark: 'none',
        who: 'you',
        sentence: `Stop: ${viewers(this.figures.present)} to send home`,
      });
    else if (force) this.event({ kind: 'run', mark: 'none', who: 'you', sentence: 'Stop by force' });
    this.stoppedByPerson = true;
    this.abort.abort();
    this.setState('stopping');
    await this.leaveAll(force);
    this.advance();
    return this.present();
  }

  /** Ends one job; undefined when this run has no such job. */
  async stopJob(job: string, force: boolean): Promise<number | undefined> {
    for (const pull of this.pulls) {
      const found = pull.jobs.find((candidate) => candidate.id === job);
      if (!found) continue;
      this.stoppedByPerson = true;
      this.event({
        kind: 'run',
        mark: 'none',
        who: 'you',
        sentence: `Stop ${job}: ${viewers(found.latest?.present ?? 0)} of ${found.tester.name} to send home`,
      });
      const others = pull.jobs.some(
        (other) => other !== found && other.state !== 'ended' && other.state !== 'failed',
      );
      await this.leave(pull, force, others ? found : undefined);
      this.advance();
      return found.latest?.present ?? 0;
    }
    return undefined;
  }

  note(text: string, timeMs: number): RunEvent {
    return this.keep({ timeMs, kind: 'note', mark: 'note', who: 'you', sentence: text });
  }

  playerFroze(timeMs: number, freezeMs: number): void {
    this.keep({
      timeMs,
      kind: 'player',
      mark: 'freeze',
      who: 'player',
      sentence: `Picture froze for ${seconds(freezeMs)}`,
    });
  }

  /** The names of a node in this run; a node that is not part of it has none. */
  namesOf(node: AgentNode): string[] {
    return [...this.nodes].flatMap(([name, bound]) => (bound === node ? [name] : []));
  }

  /** Names of the run's nodes, for samples of their common host. */
  get nodeNames(): string[] {
    return [...this.nodes.keys()];
  }

  get boundNodes(): ReadonlyMap<string, AgentNode> {
    return this.nodes;
  }

  /** Keeps samples that were measured under this run's names. */
  record(samples: readonly Sample[]): void {
    if (this.state === 'ended') return;
    try {
      this.deps.writer.append(samples);
    } catch (error) {
      this.deps.problem((error as Error).message);
    }
    this.watchHost(samples);
  }

  take(node: AgentNode, news: NodeNews): void {
    if (this.state === 'ended') return;
    const names = this.namesOf(node);
    const [name] = names;
    if (name === undefined) return;
    const publish = (timeMs: number, values: Parameters<typeof samplesOf>[2]): void => {
      const samples = names.flatMap((each) => samplesOf(timeMs, each, values));
      this.record(samples);
      this.deps.samples(samples);
    };
    if (news.kind === 'process') {
      publish(news.timeMs, news.values);
      if (node.role === 'origin')
        this.tell(this.watchers.originGc(news.timeMs, name, news.values.gcPauseMs, this.figures.connected));
    }
    if (news.kind === 'server') this.takeServer(node, name, news, publish);
    if (news.kind === 'pulls') this.takePulls(node, news, publish);
    if (news.kind === 'said') {
      if (news.name === 'warning' || news.name === 'left-alone')
        this.event({
          timeMs: news.timeMs,
          kind: 'node',
          mark: 'none',
          node: name,
          who: name,
          sentence: news.sentence,
        });
    }
    if (news.kind === 'state') {
      this.tell(this.watchers.nodeState(this.deps.now(), name, news.state, news.before, news.problem));
      if (news.state === 'failed' || news.state === 'idle')
        for (const pull of this.pulls) pull.lose(node, news.problem ?? `${name} was stopped.`);
      this.advance();
    }
  }

  tick(nowMs: number): void {
    if (this.state === 'ended') return;
    this.updateFigures(nowMs);
    this.tell(this.watchers.figures(this.figures));
    this.tell(this.watchers.failed(nowMs, this.failures()));
    this.advance();
    if (!this.finishing) this.deps.writer.setView(this.view());
    this.deps.changed();
  }

  jobs(): JobView[] {
    return this.pulls.flatMap((pull) => pull.views());
  }

  get publishedHere(): readonly string[] {
    return this.ownPublications;
  }

  /** The testers' own lists, while they are there to be asked. */
  async viewerRows(): Promise<Awaited<ReturnType<Pull['viewers']>>> {
    return (await Promise.all(this.pulls.map((pull) => pull.viewers()))).flat();
  }

  view(): RunView {
    if (this.state !== 'ended') this.lastViews = viewsOf(this.nodes);
    const seen = this.pulls.map((pull) => pull.seen());
    return {
      id: this.id,
      name: this.plan.name,
      state: this.state,
      plan: this.plan,
      nodes: this.lastViews,
      startedMs: this.startedMs,
      endedMs: this.endedMs,
      endsMs: this.state === 'ended' ? undefined : endsMs(seen),
      phases: this.phases,
      figures: this.figures,
      failures: this.failures(),
      verdict: this.verdict,
      readOnly: false,
    };
  }

  private async startPull(plan: Plan, nodes: ReadonlyMap<string, AgentNode>): Promise<void> {
    const testers = plan.pull.by.flatMap((name) => {
      const node = nodes.get(name);
      return node ? [{ name, node }] : [];
    });
    const origin = nodes.get(plan.pull.from);
    if (!origin) return;
    const pull = new Pull(plan.pull, testers, this.deps.nextJob);
    this.pulls.push(pull);
    this.goneMs = undefined;
    if (this.state === 'preparing') this.setState('running');
    const served = origin.view().streams.find((candidate) => candidate.stream === plan.pull.stream);
    const started = pull.start(this.deps.now(), origin.server.whepUrl(plan.pull.stream), served?.fps);
    this.updatePhase();
    for (const sentence of await started) this.event({ kind: 'run', mark: 'none', who: 'run', sentence });
    for (const job of pull.jobs)
      if (job.state === 'failed')
        this.event({
          kind: 'node',
          mark: 'none',
          node: job.tester.name,
          who: job.tester.name,
          sentence: `${job.tester.name} did not take ${viewers(job.viewers)}: ${job.problem ?? 'no reason given'}`,
        });
    if (pull.jobs.every((job) => job.state === 'failed') && this.pulls.length === 1)
      this.failure = pull.jobs[0]?.problem;
    // Stopped while the orders were on their way: what was accepted meanwhile leaves at once.
    if (this.abort.signal.aborted) await this.leave(pull, false);
  }

  private takeServer(
    node: AgentNode,
    name: string,
    { sample }: Extract<NodeNews, { kind: 'server' }>,
    publish: (timeMs: number, values: Parameters<typeof samplesOf>[2]) => void,
  ): void {
    publish(sample.timeMs, sample.values);
    const { originViewers, originDegraded, originOutMbps } = sample.values;
    if (originViewers !== undefined) {
      const count = Math.max(0, originViewers - this.deps.publications.players(node));
      this.origins.set(node, {
        timeMs: sample.timeMs,
        viewers: count,
        degraded: originDegraded,
        outMbps: originOutMbps,
      });
      if (this.origins.size === 1 && this.goneMs === undefined)
        this.tell(this.watchers.originViewers(sample.timeMs, name, count));
    }
    for (const pull of this.pulls)
      if (this.nodes.get(pull.plan.from) === node && pull.leaveMs === undefined)
        this.tell(
          this.watchers.stream(
            sample.timeMs,
            name,
            pull.plan.stream,
            sample.streams.some((stream) => stream.stream === pull.plan.stream),
          ),
        );
    this.advance();
  }

  private takePulls(
    node: AgentNode,
    { samples }: Extract<NodeNews, { kind: 'pulls' }>,
    publish: (timeMs: number, values: Parameters<typeof samplesOf>[2]) => void,
  ): void {
    const mine = this.pulls.filter((pull) => pull.take(node, samples)).length > 0;
    if (!mine) return;
    const latest = this.pulls.flatMap((pull) =>
      pull.jobs.flatMap((job) => (job.tester.node === node && job.latest ? [job.latest] : [])),
    );
    const timeMs = Math.max(...latest.map((sample) => sample.timeMs));
    const wanted = this.pulls.reduce((sum, pull) => sum + pull.wanted(timeMs, node), 0);
    publish(timeMs, audienceValues(latest, wanted));
    const all = this.latest();
    const sum = (pick: (sample: (typeof all)[number]) => number): number =>
      all.reduce((n, one) => n + pick(one), 0);
    this.watchers.audience(
      timeMs,
      sum((sample) => sample.connected),
      sum((sample) => Math.max(sample.present, sample.connected + sample.connecting)),
    );
    this.advance();
  }

  /** Does whatever is due. Called on every tick and on every piece of news, so that nothing waits for a timer. */
  private advance(): void {
    if (this.state === 'ended' || this.finishing) return;
    const nowMs = this.deps.now();
    for (const pull of this.pulls) {
      const step = nextStep(nowMs, pull.seen());
      if (step === 'full') {
        pull.fullMs = nowMs;
        const connected = pull.jobs.reduce((sum, job) => sum + (job.latest?.connected ?? 0), 0);
        this.updateFigures(nowMs);
        this.event({
          kind: 'run',
          mark: 'none',
          who: 'audience',
          sentence:
            connected === pull.plan.viewers
              ? `All ${viewers(connected)} are in`
              : `${whole(connected)} of ${viewers(pull.plan.viewers)} are in, nobody is on the way any more`,
        });
      }
      if (step === 'leave') void this.leave(pull, false);
      if (step === 'force') void this.leave(pull, true);
      if (step === 'kill') this.kill(pull);
      // A tester that could not be told to leave is told again.
      if (step === 'wait' && pull.leaveMs !== undefined) void this.leave(pull, false);
    }
    this.updatePhase();
    const nothingLeft = this.pulls.every((pull) => nextStep(nowMs, pull.seen()) === 'gone');
    if (
      nothingLeft &&
      this.preparing === 0 &&
      (this.pulls.length > 0 || this.abort.signal.aborted || this.failure !== undefined)
    ) {
      this.goneMs ??= nowMs;
      if (this.originsAreEmpty(nowMs)) void this.finish();
    }
  }

  private originsAreEmpty(nowMs: number): boolean {
    const goneMs = this.goneMs ?? nowMs;
    if (this.pulls.length === 0 || nowMs - goneMs > agreePatienceMs) return true;
    return [...this.origins].every(
      ([node, said]) => !node.running || (said.timeMs >= goneMs - 1000 && said.viewers === 0),
    );
  }

  private async finish(): Promise<void> {
    this.finishing = true;
    this.setState('stopping');
    const rows = await this.viewerRows().catch((error: unknown) => {
      this.event({
        kind: 'run',
        mark: 'none',
        who: 'run',
        sentence: `The list of viewers is missing: ${(error as Error).message}`,
      });
      return [];
    });
    for (const job of this.ownPublications)
      await this.deps.publications
        .stop(job)
        .catch((error: unknown) => this.deps.problem((error as Error).message));
    const nowMs = this.deps.now();
    this.updateFigures(nowMs);
    this.endedMs = nowMs;
    this.phase(undefined);
    this.event({ kind: 'run', mark: 'none', who: 'run', sentence: this.proof() });
    try {
      if (rows.length > 0) this.deps.writer.setViewers(rows);
      this.verdict = conclude({
        view: this.view(),
        failure: this.failure,
        stoppedByPerson: this.stoppedByPerson,
      });
      this.event({
        kind: 'run',
        mark: 'none',
        who: 'run',
        sentence: this.verdict.sentence,
        outcome: this.verdict.verdict,
      });
      this.setState('ended');
      this.deps.writer.finish(this.view());
    } catch (error) {
      this.setState('ended');
      this.deps.problem(`The run file could not be finished: ${(error as Error).message}`);
    }
    this.deps.changed();
    this.markEnded();
  }

  private proof(): string {
    const left = this.present();
    const counted = [...this.origins].filter(([node]) => node.running);
    const origin = counted.reduce((sum, [, said]) => sum + said.viewers, 0);
    if (left > 0) return `Ended; ${viewers(left)} could not be sent home`;
    if (this.pulls.length === 0) return 'Ended before any viewer was asked to come';
    if (counted.length === 0) return 'Ended; 0 viewers left by the audience, the origin does not answer';
    return origin === 0
      ? 'Ended; 0 viewers left, audience and origin agree'
      : `Ended; 0 viewers left by the audience, the origin still counts ${whole(origin)}`;
  }

  private async leaveAll(force: boolean): Promise<void> {
    await Promise.all(this.pulls.map((pull) => this.leave(pull, force)));
  }

  private async leave(pull: Pull, force: boolean, only?: PullJob): Promise<void> {
    await pull.leave(this.deps.now(), force, only);
    // Forcing must work even when a tester does not listen any more.
    if (force && this.stoppedByPerson)
      for (const job of pull.jobs)
        if (
          job.leaveTaken !== 'by force' &&
          job.state !== 'ended' &&
          job.state !== 'failed' &&
          (!only || job === only)
        )
          await job.tester.node.stop(true);
  }

  private kill(pull: Pull): void {
    for (const job of pull.jobs)
      if ((job.latest?.present ?? 0) > 0 || (job.state !== 'ended' && job.state !== 'failed'))
        void job.tester.node.stop(true);
  }

  private latest(): ReadonlyArray<NonNullable<PullJob['latest']>> {
    return this.pulls.flatMap((pull) => pull.jobs.flatMap((job) => (job.latest ? [job.latest] : [])));
  }

  private present(): number {
    return this.latest().reduce((sum, sample) => sum + sample.present, 0);
  }

  private failures(): ReturnType<typeof failureGroups> {
    return failureGroups(
      this.pulls.flatMap((pull) =>
        pull.jobs.flatMap((job) => (job.latest ? [{ tester: job.tester.name, sample: job.latest }] : [])),
      ),
    );
  }

  private updateFigures(nowMs: number): void {
    const fresh = [...this.origins].flatMap(([node, said]) =>
      node.running && nowMs - said.timeMs <= figuresFreshMs ? [said] : [],
    );
    const total = (pick: (said: (typeof fresh)[number]) => number | undefined): number | undefined => {
      const known = fresh.flatMap((said) => pick(said) ?? []);
      return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : undefined;
    };
    const starts = this.pulls.flatMap((pull) => pull.startedMs ?? []);
    this.figures = nextFigures(this.figures, {
      timeMs: nowMs,
      requested:
        this.pulls.length > 0
          ? this.pulls.reduce((sum, pull) => sum + pull.plan.viewers, 0)
          : this.plan.pull.viewers,
      jobs: this.latest(),
      firstArrivalMs: starts.length > 0 ? Math.min(...starts) : undefined,
      origin: {
        viewers: total((said) => said.viewers),
        degraded: total((said) => said.degraded),
        outMbps: total((said) => said.outMbps),
      },
    });
  }

  private watchHost(samples: readonly Sample[]): void {
    for (const { series, node, value, timeMs } of samples)
      if (series === 'cpuPercent' && this.nodes.get(node)?.role === 'origin')
        this.tell(this.watchers.originCpu(timeMs, node, value, this.figures.connected));
  }

  private updatePhase(): void {
    if (this.pulls.length === 0) return;
    const name = phaseOf(this.pulls.map((pull) => pull.seen()));
    if (this.phases[this.phases.length - 1]?.name === name) return;
    this.phase(name);
    if (name === 'drain') this.setState('stopping');
  }

  private phase(name: PhaseName | undefined): void {
    const timeMs = this.deps.now();
    const last = this.phases[this.phases.length - 1];
    if (last && last.endMs === undefined) this.phases[this.phases.length - 1] = { ...last, endMs: timeMs };
    if (!name) return;
    this.phases.push({ name, startMs: timeMs });
    const { requested, connected, present } = this.figures;
    const sentences: Record<PhaseName, string> = {
      prepare: `Prepare: starting ${this.nodeNames.join(' and ')}`,
      ramp: `Ramp: ${viewers(requested)} arrive`,
      hold: `Hold: ${viewers(connected)} stay`,
      drain: `Drain: ${viewers(present)} leave`,
    };
    this.event({ kind: 'phase', mark: 'phase', who: 'run', sentence: sentences[name] });
  }

  private setState(state: RunState): void {
    if (this.state === state) return;
    this.state = state;
    this.deps.changed();
  }

  private tell(events: readonly NewEvent[]): void {
    for (const event of events) this.keep(event);
  }

  private event(event: Omit<NewEvent, 'timeMs'> & { timeMs?: number }): void {
    this.keep({ ...event, timeMs: event.timeMs ?? this.deps.now() });
  }

  private keep(event: NewEvent): RunEvent {
    const kept = this.deps.writer.event(event);
    this.deps.event(kept);
    return kept;
  }
}

function viewsOf(nodes: ReadonlyMap<string, AgentNode>): NodeView[] {
  return [...nodes].map(([name, node]) =>
    name === node.id ? node.view() : { ...node.view(name), id: name },
  );
}
