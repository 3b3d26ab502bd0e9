import { agreementPercent, disagreement, type ComparedSecond } from '../../domain/browserViewers/agreement';
import { browserViewersOf } from '../../domain/browserViewers/browserViewers';
import { byWindow, type BrowserViewersResult } from '../../domain/model/browserViewers';
import { audiencesOf } from '../../domain/model/distribution';
import { firstOrigin } from '../../domain/model/publisherGroup';
import { percentile } from '../../domain/series/percentile';
import type { SeriesId } from '../../domain/series/series';
import type { CallInput } from '../../contract/engine';
import { samplesOf } from '../base/samples';
import { isRemote, type RemoteNode } from '../fleet/node';
import { audienceValues } from './audience';
import type { RunData } from './runData';
import type { BrowserHosts } from './runParts';
import type { SampleRouter } from './sampleRouter';
import { takeDisplayed } from './displayed';

type Report = Omit<CallInput<'browserViewers.report'>, 'run'>;

const thisMachineName = 'this machine';
/** More than a disagreement needs is not kept. */
const keptSeconds = 60;

const fromGetStats = ['freezeCount', 'freezeDurationMs', 'pauseCount'] as const;

/** Records what the browser viewers of a run report, and compares it with the audience. */
export class BrowserViewers {
  private readonly seconds: ComparedSecond[] = [];
  private readonly watched = new Set<number>();
  private readonly failed = new Set<number>();
  private readonly firstFramesMs: number[] = [];
  private readonly means = {
    browserRate: new Mean(),
    audienceRate: new Mean(),
    browserDegraded: new Mean(),
    audienceDegraded: new Mean(),
    agreement: new Mean(),
  };
  private audienceFirstFrameMs: number | undefined;
  private problem: string | undefined;
  private by: string | undefined;
  private end: (() => void) | undefined;
  private planned = 0;
  private playing = 0;
  private stalls = 0;
  private stalledMs = 0;
  /** Sums of what the browsers' getStats reported; absent until one did. */
  private readonly reported: Partial<Record<(typeof fromGetStats)[number], number>> = {};
  private limitedTo: number | undefined;
  private hasDisagreed = false;

  constructor(
    private readonly data: RunData,
    private readonly router: Pick<SampleRouter, 'record'>,
    private readonly hosts: BrowserHosts | undefined,
  ) {}

  /**
   * Decides who runs them: a browser on the first tester that is another machine, since its network is that of the
   * audience; else the window, else a browser on this machine. Never rejects.
   */
  async open(): Promise<void> {
    const { hosts, data } = this;
    this.planChanged();
    if (!hosts || this.planned === 0) return;
    for (const { by, tester } of this.places()) {
      try {
        if (by !== byWindow) this.end = await hosts.start({ run: data.id, by }, tester);
        if (data.isClosing) return this.close();
        this.by = by;
        return this.planChanged();
      } catch (error) {
        if (data.isClosing) return;
        this.say(data.deps.clock.now(), `No browser viewers on ${by}: ${(error as Error).message}`);
      }
    }
  }

  /** Ends the browser that was started for them. */
  close(): void {
    this.end?.();
    this.end = undefined;
  }

  /** Audiences were added. */
  planChanged(): void {
    this.planned = browserViewersOf(this.data.plan, this.hosts?.hasWindow === true).count;
    this.data.browserViewers = this.result();
    this.data.changed();
  }

  private places(): ReadonlyArray<{ readonly by: string; readonly tester?: RemoteNode }> {
    const { plan, nodes } = this.data;
    const remote = audiencesOf(plan)
      .flatMap(({ by }) => by)
      .flatMap((name) => {
        const tester = nodes.get(name);
        return tester && isRemote(tester) ? [{ by: name, tester }] : [];
      });
    return [...remote.slice(0, 1), { by: this.hosts?.hasWindow ? byWindow : thisMachineName }];
  }

  take({ viewers, limit }: Report, nowMs: number): void {
    const { data } = this;
    this.noteLimit(limit, nowMs);
    const playing = viewers.filter(({ state }) => state === 'playing');
    this.playing = playing.length;
    for (const viewer of viewers) if (viewer.state === 'failed') this.noteFailure(viewer, nowMs);
    const arrived = playing.flatMap(({ number, firstFrameMs }) => {
      if (firstFrameMs === undefined || this.watched.has(number)) return [];
      this.watched.add(number);
      this.firstFramesMs.push(firstFrameMs);
      return [firstFrameMs];
    });
    this.stalls += sum(playing.map(({ stalls }) => stalls));
    this.stalledMs += sum(playing.map(({ stalledMs }) => stalledMs));
    for (const figure of fromGetStats)
      for (const viewer of playing)
        if (viewer[figure] !== undefined) this.reported[figure] = (this.reported[figure] ?? 0) + viewer[figure];
    takeDisplayed(data, this, playing, nowMs);
    const second = this.compare(playing);
    const agreement = agreementPercent(second);
    this.means.agreement.add(agreement);
    const values: Partial<Record<SeriesId, number | undefined>> = {
      browserViewers: playing.length,
      browserFrameRate: second.browsers.frameRate,
      browserDegraded: playing.filter(({ isDegraded }) => isDegraded === true).length,
      browserFrozenPercent: mean(playing.map(({ stalledMs }) => stalledMs / 10)),
      browserFreezes: this.stalls,
      browserFreezeCount: this.reported.freezeCount,
      browserFreezeDurationMs: this.reported.freezeDurationMs,
      browserPauseCount: this.reported.pauseCount,
      browserJitterBufferMs: mean(playing.flatMap(({ jitterBufferMs }) => jitterBufferMs ?? [])),
      browserConcealedPercent: mean(playing.flatMap(({ concealedPercent }) => concealedPercent ?? [])),
      browserFirstFrameMs: mean(arrived),
      browserRttMs: mean(playing.flatMap(({ rttMs }) => rttMs ?? [])),
      browserPipelineDelayMs: mean(playing.flatMap(({ pipelineDelayMs }) => pipelineDelayMs ?? [])),
      browserDelayJitterMs: mean(playing.flatMap(({ delayJitterMs }) => delayJitterMs ?? [])),
      browserAgreementPercent: agreement,
    };
    const measured = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    const samples = samplesOf(nowMs, firstOrigin(data.plan), measured);
    this.router.record(samples);
    data.output.emit({ kind: 'samples', samples });
    this.noteDisagreement(second, nowMs);
    data.browserViewers = this.result();
  }

  /** Undefined without any. */
  private result(): BrowserViewersResult | undefined {
    const { planned, by, means } = this;
    if (by === undefined || (planned === 0 && this.watched.size === 0)) return undefined;
    return {
      ...{ planned, by, playing: this.playing },
      watched: this.watched.size,
      failed: this.failed.size,
      ...(this.problem === undefined ? {} : { problem: this.problem }),
      // Saved runs have the stalls under these names.
      freezes: this.stalls,
      frozenMs: Math.round(this.stalledMs),
      browsers: {
        frameRate: means.browserRate.value,
        degradedPercent: means.browserDegraded.value,
        firstFrameP50Ms: percentile(
          [...this.firstFramesMs].sort((a, b) => a - b),
          50,
        ),
      },
      audience: {
        frameRate: means.audienceRate.value,
        degradedPercent: means.audienceDegraded.value,
        firstFrameP50Ms: this.audienceFirstFrameMs,
      },
      agreementPercent: means.agreement.value,
    };
  }

  private compare(playing: Report['viewers']): ComparedSecond {
    const { pulls, headline } = this.data;
    const ofAudience = audienceValues(pulls.latest(), 0);
    this.audienceFirstFrameMs = ofAudience.firstFrameP50Ms ?? this.audienceFirstFrameMs;
    const { connected, degraded } = headline.figures;
    const judged = playing.flatMap(({ isDegraded }) => (isDegraded === undefined ? [] : [isDegraded ? 100 : 0]));
    const second: ComparedSecond = {
      browsers: {
        frameRate: mean(playing.flatMap(({ frameRate }) => frameRate ?? [])),
        degradedPercent: mean(judged),
        viewers: playing.length,
      },
      audience: {
        frameRate: ofAudience.frameRate,
        degradedPercent: connected > 0 ? Math.min(100, (100 * degraded) / connected) : undefined,
        viewers: connected,
      },
    };
    // Only seconds with both figures: the means would be of different times.
    const { browsers, audience } = second;
    const { browserRate, audienceRate, browserDegraded, audienceDegraded } = this.means;
    addBoth(browserRate, browsers.frameRate, audienceRate, audience.frameRate);
    addBoth(browserDegraded, browsers.degradedPercent, audienceDegraded, audience.degradedPercent);
    return second;
  }

  private noteDisagreement(second: ComparedSecond, timeMs: number): void {
    this.seconds.push(second);
    if (this.seconds.length > keptSeconds) this.seconds.shift();
    const why = disagreement(this.seconds);
    if ((why !== undefined) === this.hasDisagreed) return;
    this.hasDisagreed = why !== undefined;
    const sentence =
      why === undefined ? 'Browser viewers and audience agree again' : `Browser viewers and audience disagree: ${why}`;
    this.data.log.keep({ timeMs, kind: 'disagreement', mark: 'none', who: 'player', sentence });
  }

  private noteFailure({ number, problem = 'it failed' }: Report['viewers'][number], timeMs: number): void {
    this.failed.add(number);
    // Once: the next ones fail for the same reason.
    if (this.problem !== undefined) return;
    this.problem = problem;
    this.say(timeMs, `A browser viewer could not play: ${problem}`);
  }

  private noteLimit(limit: Report['limit'], timeMs: number): void {
    if (limit?.viewers === this.limitedTo) return;
    this.limitedTo = limit?.viewers;
    this.say(
      timeMs,
      limit
        ? `Browser viewers reduced to ${limit.viewers} of ${this.planned}: their machine is busy (CPU ${Math.round(limit.machineBusyPercent)} %)`
        : `Browser viewers: all ${this.planned} again`,
    );
  }

  private say(timeMs: number, sentence: string): void {
    this.data.log.keep({ timeMs, kind: 'player', mark: 'none', who: 'player', sentence });
  }
}

function addBoth(ofBrowsers: Mean, browsers: number | undefined, ofAudience: Mean, audience: number | undefined): void {
  if (browsers === undefined || audience === undefined) return;
  ofBrowsers.add(browsers);
  ofAudience.add(audience);
}

/** The mean of what was added. */
class Mean {
  private total = 0;
  private count = 0;

  add(value: number | undefined): void {
    if (value === undefined) return;
    this.total += value;
    this.count += 1;
  }

  get value(): number | undefined {
    return this.count > 0 ? this.total / this.count : undefined;
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number | undefined =>
  values.length > 0 ? sum(values) / values.length : undefined;
