import { setMaxListeners } from 'node:events';
import { isDefaultLayout, type NamedLayout } from '../../domain/model/chartLayout';
import type { BrowserViewersResult } from '../../domain/model/browserViewers';
import type { LimitResult } from '../../domain/model/limitFound';
import type { NodeView } from '../../domain/model/node';
import { busyNow } from '../../domain/model/otherLoad';
import type { Plan } from '../../domain/model/plan';
import type { EarlyEnd, FailureGroup, RunState, RunView, TesterLimit, Verdict } from '../../domain/model/run';
import { audiencesOf } from '../../domain/model/distribution';
import { loadSize, publisherGroups, publishesOnly } from '../../domain/model/publisherGroup';
import { allAudiences, severalAudiences } from '../../domain/plan/audiences';
import type { AudienceEnds, FailedAudience, StopReached } from '../../domain/evidence/evidence';
import { stoppedSearch } from '../../domain/search/limitText';
import type { FleetNode } from '../fleet/node';
import type { Sample, SeriesId } from '../../domain/series/series';
import type { SeriesValues } from '../store';
import { AudienceDistributions } from './audienceDistributions';
import { Baseline } from './baseline';
import { Headline } from './headline';
import { OriginReports } from './originReports';
import { Pulls } from './pulls';
import { endsMs, holdEndMs } from './pullSteps';
import { RunLog } from './runLog';
import type { RunStream } from './runOutput';
import type { RunDeps, RunNodes } from './runParts';
import { RunPublishers } from './runPublishers';
import { RunSamples } from './runSamples';
import { PublisherWatch } from './watch/publishers';
import { TesterLimits } from './watch/testers';

/** The data of an active run: ramp-up, sample router and tear-down read and write it, and the view is made of it. */
export class RunData {
  state: RunState = 'preparing';
  /** Audiences that could not be started, by their place in the plan. */
  private readonly failures = new Map<number, { readonly timeMs: number; readonly sentence: string }>();
  /** When the user stopped the run before its planned end. */
  stoppedMs: number | undefined;
  /** Viewers were stopped without closing their sessions. */
  wasForced = false;
  stopReached: StopReached | undefined;
  /** Since when no viewer is left, by the testers: from then on the origin only lags behind. */
  drainedMs: number | undefined;
  endedMs: number | undefined;
  isFinishing = false;
  /** All viewers are disconnected and the streams of the run are no longer published: only its file is left to do. */
  isReleased = false;
  verdict: Verdict | undefined;
  /** From all samples, once the run has ended. */
  judgedLimits: readonly TesterLimit[] | undefined;
  layout: NamedLayout | undefined;
  browserViewers: BrowserViewersResult | undefined;
  readonly pulls = new Pulls();
  readonly distributions = new AudienceDistributions();
  readonly origins = new OriginReports<FleetNode>();
  readonly log: RunLog;
  readonly limits: TesterLimits;
  /** Present where the load is publishers alone. */
  readonly published: RunPublishers;
  readonly publishers: PublisherWatch;
  readonly headline: Headline;
  readonly baseline: Baseline;
  /** Aborted when no more viewers are to be started. */
  private readonly closing = new AbortController();
  private lastNodes: readonly NodeView[];
  /** Samples that a limit search judges. */
  private readonly searched: RunSamples | undefined;

  constructor(
    readonly id: string,
    public plan: Plan,
    readonly nodes: RunNodes,
    readonly startedMs: number,
    readonly deps: RunDeps,
    readonly output: RunStream,
  ) {
    // Each audience has a few of them, which Node takes for a leak from ten on.
    setMaxListeners(0, this.closing.signal);
    this.log = new RunLog(deps.writer, deps.clock.now, output);
    this.limits = new TesterLimits(startedMs);
    this.published = new RunPublishers(deps.publications, deps.clock);
    this.publishers = new PublisherWatch(!publishesOnly(plan));
    this.headline = new Headline(
      this.pulls,
      this.origins,
      this.distributions,
      startedMs,
      () => audiencesOf(this.plan),
      this.published,
      publishesOnly(plan) ? loadSize(plan) : 0,
    );
    this.baseline = new Baseline(deps.clock, nodes, deps.hostLoads);
    this.lastNodes = nodes.views();
    if ([...audiencesOf(plan), ...publisherGroups(plan)].some(({ search }) => search !== undefined))
      this.searched = new RunSamples();
  }

  /** An audience could not be started. */
  failAudience(place: number, sentence: string): void {
    this.failures.set(place, { timeMs: this.deps.clock.now(), sentence });
  }

  /** Why no audience of the run could be started; undefined once another was added. */
  get failure(): string | undefined {
    const [first] = this.failures.values();
    return this.failures.size === Math.max(1, audiencesOf(this.plan).length) ? first?.sentence : undefined;
  }

  /** When the hold of each audience ended, if there are several. */
  audienceEnds(): AudienceEnds {
    const endedMs = this.endedMs ?? this.deps.clock.now();
    return Object.fromEntries(
      severalAudiences(this.plan).flatMap(({ id }, place) => {
        const pulls = this.failures.has(place) ? [] : this.pulls.ofAudience(place);
        return pulls.length === 0 ? [] : [[id, holdEndMs(pulls.map((pull) => pull.seen())) ?? endedMs]];
      }),
    );
  }

  /** When each audience had started: all of its viewers had connected or failed. */
  audienceStarts(): AudienceEnds {
    return Object.fromEntries(
      severalAudiences(this.plan).flatMap(({ id }, place) => {
        const fulls = this.pulls.ofAudience(place).map(({ fullMs }) => fullMs);
        const known = fulls.filter((ms) => ms !== undefined);
        return known.length > 0 && known.length === fulls.length ? [[id, Math.max(...known)]] : [];
      }),
    );
  }

  /** Viewers that failed so far. */
  viewerFailures(): FailureGroup[] {
    return this.pulls.failures(severalAudiences(this.plan).map(({ name }) => name));
  }

  get failedAudiences(): readonly FailedAudience[] {
    return allAudiences(this.plan).flatMap(({ name }, place) => {
      const failed = this.failures.get(place);
      return failed ? [{ ...failed, audience: name }] : [];
    });
  }

  setState(state: RunState): void {
    if (this.state === state) return;
    this.state = state;
    this.changed();
  }

  changed(): void {
    this.output.emit({ kind: 'changed' });
  }

  /** Something could not be saved. */
  problem(sentence: string): void {
    this.output.emit({ kind: 'problem', sentence });
  }

  setLayout(layout: NamedLayout): void {
    this.layout = isDefaultLayout(layout.layout) ? undefined : layout;
  }

  /** When the last pull ended because none of its viewers was connected; undefined if one of them ended otherwise. */
  get noViewersMs(): number | undefined {
    const ends = [...this.pulls.list, ...this.published.list].map(({ lostAllMs }) => lostAllMs);
    return ends.every((ms) => ms !== undefined) && ends.length > 0 ? Math.max(...ends) : undefined;
  }

  /** No more viewers are to be started. */
  close(): void {
    this.closing.abort();
  }

  get whenClosing(): AbortSignal {
    return this.closing.signal;
  }

  get isClosing(): boolean {
    return this.closing.signal.aborted;
  }

  /** `this machine is busy: …` for the host of a node, if other programs use it. */
  busyHost(name: string): string | undefined {
    const share = this.baseline.shareOf(name);
    const host = this.nodes.get(name)?.host;
    return share && host !== undefined ? busyNow(host, name, share) : undefined;
  }

  /** Records samples in the run's file. Never throws; what can't be saved is reported. */
  save(samples: readonly Sample[]): void {
    this.searched?.add(samples);
    try {
      this.deps.writer.append(samples);
    } catch (error) {
      this.problem((error as Error).message);
    }
  }

  /** One series of one node so far, `toMs` excluded; for a limit search, other runs need none. */
  values(node: string, series: SeriesId, fromMs: number, toMs: number): SeriesValues {
    return this.searched?.values(node, series, fromMs, toMs) ?? { timeMs: [], value: [] };
  }

  view(): RunView {
    const { pulls, baseline } = this;
    const hasEnded = this.state === 'ended';
    if (!hasEnded) this.lastNodes = this.nodes.views();
    const plannedEnds = [...pulls.controlled, ...this.published.controlledList].map(
      ({ controller }) => controller.endsMs,
    );
    return {
      id: this.id,
      name: this.plan.name,
      state: this.state,
      plan: this.plan,
      nodes: this.lastNodes,
      startedMs: this.startedMs,
      endedMs: this.endedMs,
      endsMs: hasEnded ? undefined : endsMs([...pulls.seen(), ...this.published.seen()], plannedEnds),
      phases: this.log.phases,
      figures: this.headline.figures,
      failures: this.viewerFailures(),
      testerLimits: this.judgedLimits ?? this.limits.all,
      preflight: this.deps.preflight,
      baseline: baseline.hosts,
      ...(baseline.otherLoad.length > 0 ? { otherLoad: baseline.otherLoad } : {}),
      ...(this.published.list.length > 0 ? { published: this.published.views() } : {}),
      ...(this.publishers.all.length > 0 ? { publisherOutages: this.publishers.all } : {}),
      limit: this.limitFound(),
      ...(this.browserViewers ? { browserViewers: this.browserViewers } : {}),
      verdict: this.verdict,
      earlyEnd: firstEnd(this),
      ...(this.layout && { layout: this.layout }),
      readOnly: false,
    };
  }

  /** The result of a search; one that had not ended when the viewers were disconnected was stopped. */
  private limitFound(): LimitResult | undefined {
    const limit = [...this.pulls.controlled, ...this.published.controlledList].flatMap(
      ({ controller }) => controller.found ?? [],
    )[0];
    return limit && (this.isFinishing || this.isClosing) ? stoppedSearch(limit) : limit;
  }
}

/** What ended a run before its planned end: the first of several possible causes. */
function firstEnd(of: {
  readonly startedMs: number;
  /** Why it could not be started. */
  readonly failure: string | undefined;
  readonly stoppedMs: number | undefined;
  readonly stopReached: StopReached | undefined;
  readonly noViewersMs: number | undefined;
}): EarlyEnd | undefined {
  const { startedMs, failure, stoppedMs, stopReached, noViewersMs } = of;
  const ends: EarlyEnd[] = [];
  if (failure !== undefined) ends.push({ kind: 'not-started', timeMs: startedMs, sentence: failure });
  if (stoppedMs !== undefined) ends.push({ kind: 'user', timeMs: stoppedMs });
  if (stopReached) {
    const { timeMs, sentence } = stopReached;
    ends.push({ kind: 'stop-condition', timeMs, sentence });
  }
  if (noViewersMs !== undefined) ends.push({ kind: 'no-viewers', timeMs: noViewersMs });
  return ends.sort((a, b) => a.timeMs - b.timeMs)[0];
}
