import type { Expectations } from '../../domain/plan/plan';
import type { OtherShare } from '../../domain/otherLoad/otherLoad';
import type { RunFigures } from '../../domain/run';
import type { Sample, SeriesId } from '../../domain/series';
import { listsStreams, thisMachine, type FleetNode, type NodeNews } from '../fleet/node';
import type { Publications } from '../fleet/publications';
import { samplesOf } from '../samples';
import type { RunWriter } from '../store';
import { audienceValues } from './audience';
import { OriginWords } from './originWords';
import type { Pulls } from './pulls';
import type { RunLog } from './runLog';
import { viewsOf } from './runParts';
import { clockStepSentence } from './sentences';
import { type TesterLimits, type Cast } from './watch/testers';
import { RunWatchers, testerLimitEvents } from './watchers';

export interface IntakeParts {
  readonly writer: RunWriter;
  readonly publications: Publications;
  readonly pulls: Pulls;
  readonly log: RunLog;
  readonly limits: TesterLimits;
  /** The run's nodes by the plan's names. */
  readonly nodes: () => ReadonlyMap<string, FleetNode>;
  /** What other programs take of the host of a node of this name. */
  readonly others: (name: string) => OtherShare | undefined;
  /** Viewers connected, for sentences. */
  readonly connected: () => number;
  /** Whether the testers have said that everybody is gone: from then on the origin only lags behind. */
  readonly emptied: () => boolean;
  readonly samples: (samples: readonly Sample[]) => void;
  /** Hears of what was kept. */
  readonly recorded: (samples: readonly Sample[]) => void;
  readonly problem: (sentence: string) => void;
}

/** What comes in from the nodes of a run: recorded, watched, and told on. */
export class RunIntake {
  readonly origins = new OriginWords<FleetNode>();
  private readonly watchers: RunWatchers;

  constructor(
    private readonly parts: IntakeParts,
    expect: Expectations,
  ) {
    this.watchers = new RunWatchers(expect);
  }

  /** The names of a node in this run; a node that is not part of it has none. */
  namesOf(node: FleetNode): string[] {
    return [...this.parts.nodes()].flatMap(([name, bound]) => (bound === node ? [name] : []));
  }

  /** Keeps samples that were measured under the run's names. */
  record(samples: readonly Sample[]): void {
    if (samples.length === 0) return;
    const { writer, problem, nodes, log, connected, others } = this.parts;
    try {
      writer.append(samples);
    } catch (error) {
      problem((error as Error).message);
    }
    this.parts.recorded(samples);
    const cast = this.watchedNames();
    for (const sample of samples) {
      const { series, node, value, timeMs } = sample;
      if (cast.has(node)) this.parts.limits.take(sample);
      if (series === 'cpuPercent' && this.isPulledFrom(nodes().get(node)))
        log.keepAll(
          this.watchers.originCpu(timeMs, node, value, connected(), {
            host: nodes().get(node)?.host ?? node,
            share: others(node),
          }),
        );
    }
  }

  take(node: FleetNode, name: string, news: NodeNews, nowMs: number): void {
    const { log, connected } = this.parts;
    switch (news.kind) {
      case 'process':
        this.publish(node, news.timeMs, news.values);
        if (this.isPulledFrom(node))
          log.keepAll(this.watchers.originGc(news.timeMs, name, news.values.gcPauseMs, connected()));
        return;
      case 'host':
        return this.publish(node, news.timeMs, news.values);
      case 'view':
        return;
      case 'server':
        return this.takeServer(node, name, news.sample);
      case 'pulls':
        return this.takePulls(node, news.samples, nowMs);
      case 'said': {
        const { timeMs, sentence, stepMs } = news;
        // The engine sees the clock of its own machine itself.
        if (stepMs !== undefined && node.host !== thisMachine)
          log.keep({
            ...{ timeMs, kind: 'node', mark: 'none', node: name, who: name },
            sentence: clockStepSentence(name, stepMs),
          });
        if (news.name === 'warning' || news.name === 'left-alone')
          log.keep({ timeMs, kind: 'node', mark: 'none', node: name, who: name, sentence });
        return;
      }
      case 'state':
        log.keepAll(this.watchers.nodeState(nowMs, name, news.state, news.before, news.problem));
    }
  }

  /** Whether a pull of this run takes its stream from the node; others are in it to be watched. */
  private isPulledFrom(node: FleetNode | undefined): boolean {
    return (
      node !== undefined &&
      this.parts.pulls.list.some(({ plan }) => this.parts.nodes().get(plan.from) === node)
    );
  }

  /** Looks at the headline's figures, once a second. */
  watch(figures: RunFigures): void {
    const { pulls, limits, log } = this.parts;
    log.keepAll(this.watchers.figures(figures));
    const failures = pulls.failures();
    log.keepAll(this.watchers.failed(figures.timeMs, failures));
    if (this.watchedNames().size > 0)
      log.keepAll(testerLimitEvents(figures.timeMs, limits.look(figures.timeMs, this.cast(), failures)));
  }

  /** Testers that have viewers to look after: until these are sent home it matters what the tester can do. */
  private watchedNames(): Set<string> {
    const watching = this.parts.pulls.list.filter(
      ({ startedMs, leaveMs }) => startedMs !== undefined && leaveMs === undefined,
    );
    return new Set(watching.flatMap(({ jobs }) => jobs.map(({ tester }) => tester.name)));
  }

  private cast(): Cast {
    const nodes = this.parts.nodes();
    const called = (names: ReadonlySet<string>): ReadonlyMap<string, FleetNode> =>
      new Map([...nodes].filter(([name]) => names.has(name)));
    return {
      origins: viewsOf(called(new Set(this.parts.pulls.list.map(({ plan }) => plan.from)))),
      testers: viewsOf(called(this.watchedNames())),
    };
  }

  private takeServer(
    node: FleetNode,
    name: string,
    { timeMs, values, streams }: Extract<NodeNews, { kind: 'server' }>['sample'],
  ): void {
    const { publications, pulls, log, nodes } = this.parts;
    const { originViewers: counted, originDegraded: degraded, originOutMbps: outMbps } = values;
    // The console's own player is no part of the audience: one count in the headline, the charts and the file.
    const viewers = counted === undefined ? undefined : Math.max(0, counted - publications.players(node));
    this.publish(node, timeMs, { ...values, originViewers: viewers });
    if (viewers !== undefined && this.isPulledFrom(node)) {
      this.origins.take(node, { timeMs, viewers, degraded, outMbps });
      // With several origins nobody knows which of them a tester's viewer watches.
      if (this.origins.count === 1 && !this.parts.emptied())
        log.keepAll(this.watchers.originViewers(timeMs, name, viewers));
    }
    if (!listsStreams(node)) return;
    for (const { plan, leaveMs } of pulls.list)
      if (nodes().get(plan.from) === node && leaveMs === undefined) {
        const served = streams.some((stream) => stream.stream === plan.stream);
        log.keepAll(this.watchers.stream(timeMs, name, plan.stream, served));
      }
  }

  private takePulls(
    node: FleetNode,
    samples: Extract<NodeNews, { kind: 'pulls' }>['samples'],
    nowMs: number,
  ): void {
    const { pulls } = this.parts;
    const mine = pulls.list.filter((pull) => pull.take(node, samples, nowMs)).length > 0;
    if (!mine) return;
    const latest = pulls.latest(node);
    const timeMs = Math.max(...latest.map((sample) => sample.timeMs));
    const wanted = pulls.list.reduce((sum, pull) => sum + pull.wanted(timeMs, node), 0);
    this.publish(node, timeMs, audienceValues(latest, wanted));
    const { connected, arrived } = pulls.counts();
    this.watchers.audience(timeMs, connected, arrived);
  }

  /** Records a node's values under all of its names, and tells of them. */
  private publish(node: FleetNode, timeMs: number, values: Partial<Record<SeriesId, number>>): void {
    const samples = this.namesOf(node).flatMap((name) => samplesOf(timeMs, name, values));
    this.record(samples);
    this.parts.samples(samples);
  }
}
