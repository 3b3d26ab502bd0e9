import { serverTimeout } from '../../domain/run/serverTimeout';
import { clientsOf, originNames } from '../../domain/model/publisherGroup';
import { allAudiences, severalAudiences } from '../../domain/plan/audiences';
import type { StopReached } from '../../domain/evidence/evidence';
import { hasPublisher } from '../../domain/model/node';
import type { RunEvent, RunFigures } from '../../domain/model/run';
import type { Sample, SeriesId } from '../../domain/series/series';
import { listsStreams, thisMachine, type FleetNode, type NodeChange } from '../fleet/node';
import { asSentence } from '../../domain/text/sentence';
import { samplesOf } from '../base/samples';
import { publisherValues } from '../fleet/publisherValues';
import { audienceValues, testerValues, withoutPlayers } from './audience';
import { displayedSamples, recordDistributions } from './recordDistributions';
import type { RunData } from './runData';
import { viewsOf } from './runParts';
import { clockStepSentence } from './sentences';
import { LostOrigins } from './watch/lostOrigins';
import type { WatchedPublication } from './watch/publishers';
import { StopWhen } from './watch/stopWhen';
import type { PulledNodes } from './watch/testers';
import { RunWatchers, testerLimitEvents } from './watchers';
import type { Pull } from './pull';

/** Messages of nodes that are events of the run, with their marks. */
const markOf: Readonly<Record<string, RunEvent['mark']>> = {
  warning: 'none',
  unattended: 'none',
  reconnected: 'none',
  readiness: 'none',
  'group-short': 'none',
  'member-lost': 'lost',
  'member-ready': 'recovered',
};

/** Routes what the nodes of a run report: records it, checks it, and passes it on. */
export class SampleRouter {
  readonly lostOrigins = new LostOrigins();
  private readonly watchers: RunWatchers;
  private readonly stopWhen: StopWhen;
  /** Time of the latest report on each audience. */
  private readonly audienceTimesMs = new Map<string, number>();

  constructor(private readonly data: RunData) {
    const { plan } = data;
    this.watchers = new RunWatchers(plan.expect);
    const origins = originNames(plan);
    this.stopWhen = new StopWhen(plan.stopWhen, origins, (name) => data.busyHost(name), clientsOf(plan));
  }

  /** Records samples under the run's names. */
  record(samples: readonly Sample[]): void {
    if (samples.length === 0) return;
    const { data } = this;
    const { nodes, baseline } = data;
    this.data.save(samples);
    baseline.take(samples);
    for (const sample of samples) this.reached(this.stopWhen.sample(sample));
    const observed = this.observedNames();
    for (const sample of samples) {
      const { series, node, value, timeMs } = sample;
      if (observed.has(node)) data.limits.take(sample);
      if (series === 'cpuPercent' && this.isUnderTest(nodes.get(node)))
        data.log.keepAll(
          this.watchers.originCpu(timeMs, node, value, this.connected, {
            host: nodes.get(node)?.host ?? node,
            share: baseline.shareOf(node),
          }),
        );
    }
  }

  /** For sentences. */
  private get connected(): number {
    return this.data.headline.figures.connected;
  }

  /** A stop condition is reached: the first one ends the run. */
  private reached(stop: StopReached | undefined): void {
    const { data } = this;
    if (!stop || data.stopReached || data.isClosing) return;
    data.stopReached = stop;
    const { timeMs, node, sentence } = stop;
    data.log.keep({ timeMs, kind: 'threshold', mark: 'limit', node, who: node ?? 'audience', sentence });
  }

  take(node: FleetNode, name: string, change: NodeChange, nowMs: number): void {
    const { log } = this.data;
    switch (change.kind) {
      case 'process':
        this.publish(node, change.timeMs, change.values);
        if (this.isUnderTest(node))
          log.keepAll(this.watchers.originGc(change.timeMs, name, change.values.gcPauseMs, this.connected));
        return;
      case 'host':
        return this.publish(node, change.timeMs, change.values);
      case 'publishers':
        return this.publish(node, change.timeMs, this.publishedValues(node, change));
      case 'view':
        // A server that stopped responding may turn out to refuse connections.
        if (node.role === 'origin' && node.state === 'stale') {
          const { state, problem } = node.view(name);
          this.watchOrigin(node, name, { state, problem }, nowMs);
        }
        return;
      case 'server':
        return this.takeServer(node, name, change.sample);
      case 'pulls':
        return this.takePulls(node, name, change.samples, nowMs);
      case 'message': {
        const { timeMs, sentence, stepMs } = change;
        // The engine itself detects steps of its machine's clock.
        if (stepMs !== undefined && node.host !== thisMachine)
          log.keep({
            ...{ timeMs, kind: 'node', mark: 'none', node: name, who: name },
            sentence: clockStepSentence(name, stepMs),
          });
        // What else they report is in their samples.
        if (!this.data.isFinishing && (!this.isOfGroup(change.job) || change.name === 'publication-lost'))
          log.keepAll(this.data.publishers.takeMessage(change));
        const mark = markOf[change.name];
        if (mark) log.keep({ timeMs, kind: 'node', mark, node: name, who: name, sentence });
        return;
      }
      case 'state':
        log.keepAll(this.watchers.nodeState(nowMs, name, change.state, change.before, change.problem));
        if (node.role === 'origin') this.data.publishers.origin(name, change.state, nowMs);
        else if (!this.data.isFinishing && (change.state === 'failed' || change.state === 'idle'))
          log.keepAll(this.data.publishers.lose(name, nowMs, asSentence(change.problem ?? `${name} was stopped.`)));
        this.watchOrigin(node, name, change, nowMs);
    }
  }

  /**
   * The figures of the publishers of a node. Where publishers alone are the load, other streams that their tester
   * publishes don't count: they would hide publishers that are lost.
   */
  private publishedValues(
    node: FleetNode,
    { values, samples }: Extract<NodeChange, { kind: 'publishers' }>,
  ): Partial<Record<SeriesId, number>> {
    const isLoad = this.data.published.list.some(({ tester }) => tester === node);
    return isLoad ? publisherValues(samples.filter(({ job }) => this.isOfGroup(job))) : values;
  }

  /** Whether it is a job of publishers alone, whose samples have the numbers from their start to their end. */
  private isOfGroup(job: string | undefined): boolean {
    return job !== undefined && this.data.published.list.some(({ id }) => id === job);
  }

  private watchOrigin(node: FleetNode, name: string, now: Parameters<LostOrigins['state']>[1], nowMs: number): void {
    // Viewers are still to be pulled from it: an origin may be stopped once they have disconnected.
    const { pulls, published } = this.data;
    const isUsed =
      pulls.list.some((pull) => pull.plan.from === name && watches(pull)) ||
      published.active.some((group) => group.node === node);
    if (isUsed) this.lostOrigins.state({ ...node.view(name), id: name }, now, nowMs, this.data.startedMs);
  }

  /** Whether the node is a server under test; others are only observed. */
  private isUnderTest(node: FleetNode | undefined): boolean {
    return this.isPulledFrom(node) || this.data.published.list.some((group) => group.node === node);
  }

  /** Whether a pull of this run takes its stream from the node. */
  private isPulledFrom(node: FleetNode | undefined): boolean {
    const { nodes, pulls } = this.data;
    return node !== undefined && pulls.list.some(({ plan }) => nodes.get(plan.from) === node);
  }

  /** Checks the headline's figures, once a second. */
  watch(figures: RunFigures): void {
    const { limits, log } = this.data;
    this.recordAudiences();
    if (!this.data.isFinishing) log.keepAll(this.data.publishers.look(figures.timeMs, this.watchedPublications()));
    const due = this.data.distributions.due(this.data.deps.clock.now());
    recordDistributions(this.data, due);
    for (const sample of displayedSamples(this.data.plan, due)) this.reached(this.stopWhen.sample(sample));
    log.keepAll(this.watchers.figures(figures));
    const failures = this.data.viewerFailures();
    log.keepAll(this.watchers.failed(figures.timeMs, failures));
    if (this.observedNames().size > 0)
      log.keepAll(testerLimitEvents(figures.timeMs, limits.look(figures.timeMs, this.pulledNodes(), failures)));
    this.lostOrigins.media(figures.mediaOutMbps ?? figures.mediaInMbps, this.isAnyTesterHeard);
    this.reached(this.stopWhen.figures(figures));
  }

  private get isAnyTesterHeard(): boolean {
    const { nodes, pulls, published } = this.data;
    return (
      pulls.list.some((pull) => watches(pull) && pull.plan.by.some((name) => nodes.get(name)?.state === 'live')) ||
      published.active.some(({ tester }) => tester.state === 'live')
    );
  }

  /** Testers with viewers, or publishers alone: their limits matter until these are disconnected. */
  private observedNames(): Set<string> {
    const watching = this.data.pulls.list.filter(watches);
    return new Set([
      ...watching.flatMap(({ jobs }) => jobs.map(({ tester }) => tester.name)),
      ...this.data.published.active.map(({ group }) => group.by),
    ]);
  }

  private pulledNodes(): PulledNodes {
    const { nodes, pulls, published } = this.data;
    const called = (names: ReadonlySet<string>): ReadonlyMap<string, FleetNode> =>
      new Map([...nodes.all].filter(([name]) => names.has(name)));
    return {
      origins: viewsOf(
        called(
          new Set([
            ...pulls.list.map(({ plan }) => plan.from),
            ...published.list.map(({ group }) => group.publication.node),
          ]),
        ),
      ),
      testers: viewsOf(called(this.observedNames())),
    };
  }

  /** What agents publish to the nodes of this run. */
  private watchedPublications(): readonly WatchedPublication[] {
    const { nodes, deps } = this.data;
    return deps.publications.byAgents().flatMap((agent) => {
      const [node] = nodes.namesOf(agent.node);
      const [by] = nodes.namesOf(agent.by);
      return node === undefined ? [] : [{ ...agent, node, by: by ?? agent.by.id }];
    });
  }

  private takeServer(
    node: FleetNode,
    name: string,
    { timeMs, values, streams }: Extract<NodeChange, { kind: 'server' }>['sample'],
  ): void {
    const { deps, pulls, log, nodes, origins } = this.data;
    const ownValues = withoutPlayers(values, deps.players(node));
    const { originViewers: viewers, originDegraded: degraded, originOutMbps: outMbps } = ownValues;
    this.publish(node, timeMs, ownValues);
    if (viewers !== undefined && this.isPulledFrom(node)) {
      origins.take(node, { timeMs, viewers, degraded, outMbps });
      // With several origins it is unknown which of them a tester's viewer pulls from.
      const pulledFrom = new Set(pulls.list.map(({ plan }) => nodes.get(plan.from)));
      // Sessions without media are no viewers of a stream.
      const hasMedia = pulls.list.every(({ plan }) => !plan.withoutMedia);
      if (pulledFrom.size === 1 && hasMedia && this.data.drainedMs === undefined)
        log.keepAll(this.watchers.originViewers(timeMs, name, viewers, serverTimeout(this.data.plan)));
    }
    if (!listsStreams(node)) return;
    for (const { plan, leaveMs } of pulls.list)
      if (nodes.get(plan.from) === node && leaveMs === undefined && !plan.withoutMedia) {
        const served = streams.some((stream) => stream.stream === plan.stream && hasPublisher(stream));
        log.keepAll(this.watchers.stream(timeMs, name, plan.stream, served));
      }
  }

  private takePulls(
    node: FleetNode,
    name: string,
    samples: Extract<NodeChange, { kind: 'pulls' }>['samples'],
    nowMs: number,
  ): void {
    const { plan, pulls, output } = this.data;
    const mine = pulls.list.filter((pull) => {
      const taken = pull.take(node, samples, nowMs);
      const place = pulls.audienceOf(pull);
      for (const { timeMs, distributions } of taken) {
        this.data.distributions.take(node, place + 1, timeMs, distributions, nowMs);
        const audience = allAudiences(plan)[place]?.name ?? '';
        output.emit({ kind: 'distributions', node: name, audience, distributions });
      }
      return taken.length > 0;
    });
    if (mine.length === 0) return;
    this.watchClocks(mine, node, nowMs);
    const latest = pulls.latest(node);
    const timeMs = Math.max(...latest.map((sample) => sample.timeMs));
    const targetViewers = pulls.list.reduce((sum, pull) => sum + pull.wanted(timeMs, node), 0);
    this.publish(node, timeMs, { ...testerValues(latest), ...audienceValues(latest, targetViewers) });
    const { connected, arrived } = pulls.counts();
    this.watchers.audience(timeMs, connected, arrived);
  }

  /** Whether the clocks of a tester and of the senders of its streams have anything in common. */
  private watchClocks(mine: readonly Pull[], node: FleetNode, nowMs: number): void {
    const streams = new Map<string, { readonly tester: string; readonly problem: string | undefined }>();
    for (const { plan, jobs } of mine)
      for (const { tester, latest, clockProblem } of jobs)
        if (tester.node === node && latest?.delay)
          streams.set(plan.stream, {
            tester: tester.name,
            problem: streams.get(plan.stream)?.problem ?? clockProblem,
          });
    for (const [stream, { tester, problem }] of streams)
      this.data.log.keepAll(this.watchers.clocks(nowMs, tester, stream, problem));
  }

  /** Records the figures of each audience over all of its testers, in a plan with several. */
  private recordAudiences(): void {
    const { plan, pulls } = this.data;
    severalAudiences(plan).forEach(({ id }, place) => {
      const audiencePulls = pulls.ofAudience(place);
      const latest = audiencePulls.flatMap(({ jobs }) => jobs.flatMap((job) => job.latest ?? []));
      const timeMs = Math.max(...latest.map((sample) => sample.timeMs));
      // Without a new report nothing is known: a gap.
      if (latest.length === 0 || timeMs === this.audienceTimesMs.get(id)) return;
      this.audienceTimesMs.set(id, timeMs);
      const targetViewers = audiencePulls.reduce((sum, pull) => sum + pull.wanted(timeMs), 0);
      const samples = samplesOf(timeMs, id, audienceValues(latest, targetViewers, 'without percentiles'));
      this.data.save(samples);
      this.data.output.emit({ kind: 'samples', samples });
    });
  }

  /** Records a node's values under all of its names, and emits them. */
  private publish(node: FleetNode, timeMs: number, values: Partial<Record<SeriesId, number>>): void {
    const samples = this.data.nodes.namesOf(node).flatMap((name) => samplesOf(timeMs, name, values));
    this.record(samples);
    this.data.output.emit({ kind: 'samples', samples });
  }
}

/** Whether it has viewers that are not being disconnected. */
function watches({ startedMs, leaveMs }: Pull): boolean {
  return startedMs !== undefined && leaveMs === undefined;
}
