import { maxDelayMs, maxDelaysPerReport } from '../viewer/delay';
import { watchMs } from './browserViewers';

/** The figures of one browser viewer, as far as they have a bound. */
interface BoundedFigures {
  readonly number: number;
  readonly firstFrameMs?: number | undefined;
  readonly frameRate?: number | undefined;
  readonly stalledMs: number;
  readonly stalls: number;
  readonly freezeCount?: number | undefined;
  readonly freezeDurationMs?: number | undefined;
  readonly pauseCount?: number | undefined;
  readonly jitterBufferMs?: number | undefined;
  readonly concealedPercent?: number | undefined;
  readonly delaysMs?: readonly number[] | undefined;
  readonly delayJitterMs?: number | undefined;
  readonly pipelineDelayMs?: number | undefined;
  readonly rttMs?: number | undefined;
}

const maxFrameRate = 300;
const maxJitterBufferMs = 60_000;
/** A gap that counts: of the audience's rule, and of W3C webrtc-stats. */
const shortestGapMs = { audience: 500, w3c: 150 } as const;
/** A page reports once a second. */
const shortestReportMs = 500;
/** Clocks, and a report that was delayed. */
const toleranceMs = 3000;
/** A busy machine has one viewer more or less each time. */
const limitMs = 5000;

type Totals = Record<'stalledMs' | 'stalls' | 'freezeCount' | 'freezeDurationMs' | 'pauseCount', number>;

/** What the browser viewers of one page can have displayed since it was opened. */
export class ReportBounds {
  private readonly totals = new Map<number, Totals>();
  private reports = 0;
  private planned = 0;

  /**
   * Takes a report `openMs` after the page was opened. Returns what is not possible in it; undefined if everything is.
   */
  take(viewers: readonly BoundedFigures[], planned: number, openMs: number): string | undefined {
    this.planned = Math.max(this.planned, planned);
    this.reports += 1;
    const lastMs = openMs + toleranceMs;
    if (this.reports > lastMs / shortestReportMs) return 'more than one report a second';
    if (viewers.length > this.planned) return `${viewers.length} viewers of ${this.planned}`;
    if (new Set(viewers.map(({ number }) => number)).size < viewers.length) return 'a viewer twice';
    const started = this.planned * (2 + openMs / watchMs) + openMs / limitMs;
    const totals = viewers.map((viewer) => [viewer.number, this.totalsOf(viewer)] as const);
    const [fault] = viewers.flatMap((viewer, index) =>
      viewer.number > started ? `viewer ${viewer.number}` : (faultOf(viewer, totals[index]?.[1], lastMs) ?? []),
    );
    // A refused report counts for nothing.
    if (fault === undefined) for (const [number, sums] of totals) this.totals.set(number, sums);
    return fault;
  }

  private totalsOf(viewer: BoundedFigures): Totals {
    const known = this.totals.get(viewer.number);
    const total = (name: keyof Totals): number => (known?.[name] ?? 0) + (viewer[name] ?? 0);
    return {
      ...{ stalledMs: total('stalledMs'), stalls: total('stalls'), freezeCount: total('freezeCount') },
      ...{ freezeDurationMs: total('freezeDurationMs'), pauseCount: total('pauseCount') },
    };
  }
}

function faultOf(viewer: BoundedFigures, totals: Totals | undefined, lastMs: number): string | undefined {
  const { firstFrameMs = 0, frameRate = 0, jitterBufferMs = 0, concealedPercent = 0 } = viewer;
  if (firstFrameMs > lastMs) return `a first frame after ${Math.round(firstFrameMs)} ms`;
  if (frameRate > maxFrameRate) return `${Math.round(frameRate)} frames per second`;
  if (jitterBufferMs > maxJitterBufferMs) return `a jitter buffer of ${Math.round(jitterBufferMs)} ms`;
  const { delaysMs = [], delayJitterMs = 0, pipelineDelayMs = 0, rttMs = 0 } = viewer;
  if (delaysMs.length > maxDelaysPerReport) return `${delaysMs.length} delays in a second`;
  if (Math.max(delayJitterMs, Math.abs(pipelineDelayMs), rttMs) > maxDelayMs) return 'a delay of more than a minute';
  if (concealedPercent > 100) return `${Math.round(concealedPercent)} % concealed`;
  if (!totals) return undefined;
  const stalledMs = Math.max(totals.stalledMs, totals.freezeDurationMs);
  if (stalledMs > lastMs) return `${Math.round(stalledMs)} ms of stalls`;
  if (totals.stalls > 1 + lastMs / shortestGapMs.audience) return `${totals.stalls} stalls`;
  const gaps = Math.max(totals.freezeCount, totals.pauseCount);
  return gaps > 1 + lastMs / shortestGapMs.w3c ? `${gaps} freezes` : undefined;
}
