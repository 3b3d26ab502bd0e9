import { degradedRule } from '../../../domain/viewer/degraded';

/** One second of the player. `fps` is undefined without playback: no bar. */
export interface QualitySecond {
  /** Start of the second, Unix ms. */
  readonly timeMs: number;
  readonly fps: number | undefined;
}

/** A stall in wall clock time; `open` while in progress. */
export interface QualityStall {
  readonly startMs: number;
  readonly lengthMs: number;
  readonly open: boolean;
}

/** The strip shows this much of the past. */
export const historyMs = 300_000;

/** The last five minutes. */
export interface QualityHistory {
  /** Start of the run, or of the player without a run, Unix ms. */
  readonly startMs: number;
  readonly seconds: readonly QualitySecond[];
  readonly stalls: readonly QualityStall[];
}

export interface StripBox {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly nowMs: number;
  /** The stream's frame rate; estimated from presented frames if unknown. */
  readonly nominalFps?: number;
}

export interface StripLabel {
  readonly xPx: number;
  readonly text: string;
  readonly kind: 'time' | 'stall';
}

export interface StripShape {
  /** SVG path data: good bars, low frame rate bars, full-height stall bars. */
  readonly good: string;
  readonly low: string;
  readonly stalled: string;
  readonly labels: readonly StripLabel[];
  readonly lowSeconds: number;
  /** 1 if every second has its own bar; else a bar shows the minimum of so many. */
  readonly secondsPerBar: number;
  readonly fromMs: number;
  readonly spanMs: number;
}

/** Min width of a bar with its gap, so single seconds are distinguishable. */
const minPitchPx = 1.5;
const labelWidthPx = 36;
const tickStepsS = [30, 60, 120] as const;

/** Estimated frame rate: the upper quartile of the seconds, from three on. */
export function nominalFrameRate(seconds: readonly QualitySecond[]): number | undefined {
  const rates = seconds.flatMap(({ fps }) => (fps !== undefined && fps > 0 ? [fps] : []));
  if (rates.length < 3) return undefined;
  rates.sort((a, b) => a - b);
  return rates[Math.floor(rates.length * 0.75)];
}

/** Steps in which the strip moves, so that bars do not creep each second. */
const stepMs = 15_000;

/** Time range of the strip, Unix ms: at least a minute, at most the last five, with space ahead of now. */
export function stripRange(startMs: number, nowMs: number): { readonly fromMs: number; readonly spanMs: number } {
  const elapsedMs = Math.max(0, nowMs - startMs);
  const spanMs = Math.min(historyMs + stepMs, Math.max(60_000, Math.ceil((elapsedMs * 1.25) / 60_000) * 60_000));
  const hiddenMs = Math.ceil(Math.max(0, elapsedMs - spanMs) / stepMs) * stepMs;
  return { fromMs: startMs + hiddenMs, spanMs };
}

/** `0:42`, `1:02:03`. */
export function runTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** Display form of a stall duration: `0.8 s`. */
export function stallLength(lengthMs: number): string {
  return `${(lengthMs / 1000).toFixed(1)} s`;
}

interface Bar {
  fps: number;
  low: boolean;
  stalled: boolean;
}

/** Geometry of the quality strip: pure and testable; drawn as three paths. */
export function layoutStrip(history: QualityHistory, box: StripBox): StripShape {
  const { widthPx, heightPx, nowMs } = box;
  const { fromMs, spanMs } = stripRange(history.startMs, nowMs);
  const secondsPerBar = Math.max(1, Math.ceil((minPitchPx * spanMs) / 1000 / Math.max(1, widthPx)));
  const barMs = secondsPerBar * 1000;
  const pitchPx = (widthPx * barMs) / spanMs;
  const nominal = box.nominalFps ?? nominalFrameRate(history.seconds);
  const lowBelow = nominal === undefined ? 0 : degradedRule.minFrameRateShare * nominal;
  // The stream's rate is at four fifths of the height, so a stall at full height exceeds every bar.
  const pxPerFps = nominal === undefined ? 0 : (0.8 * heightPx) / nominal;

  const stalledBars = new Set<number>();
  for (const stall of history.stalls) {
    const last = Math.floor((stall.startMs + stall.lengthMs - fromMs) / barMs);
    for (let bar = Math.max(0, Math.floor((stall.startMs - fromMs) / barMs)); bar <= last; bar += 1)
      stalledBars.add(bar);
  }
  const bars = new Map<number, Bar>();
  let lowSeconds = 0;
  for (const second of history.seconds) {
    if (second.fps === undefined || second.timeMs < fromMs) continue;
    const index = Math.floor((second.timeMs - fromMs) / barMs);
    const stalled = stalledBars.has(index);
    const low = second.fps < lowBelow;
    if (low && !stalled) lowSeconds += 1;
    const bar = bars.get(index);
    bars.set(index, {
      fps: Math.min(bar?.fps ?? second.fps, second.fps),
      low: low || (bar?.low ?? false),
      stalled,
    });
  }
  for (const index of stalledBars) if (!bars.has(index)) bars.set(index, { fps: 0, low: false, stalled: true });

  const paths = { good: '', low: '', stalled: '' };
  const barWidthPx = pitchPx >= 3 ? pitchPx - 1 : pitchPx * 0.8;
  for (const [index, bar] of bars) {
    if (index < 0) continue;
    const kind = bar.stalled ? 'stalled' : bar.low ? 'low' : 'good';
    const tallPx = bar.stalled ? heightPx : Math.min(heightPx, Math.max(1, bar.fps * pxPerFps));
    const xPx = index * pitchPx;
    paths[kind] +=
      `M${xPx.toFixed(2)} ${heightPx}h${barWidthPx.toFixed(2)}v${(-tallPx).toFixed(1)}h${(-barWidthPx).toFixed(2)}z`;
  }
  return {
    ...paths,
    labels: labelsOf(history, { fromMs, spanMs, widthPx }),
    lowSeconds,
    secondsPerBar,
    fromMs,
    spanMs,
  };
}

/** Stalls first, longest before others, then the times that still fit. */
function labelsOf(
  { startMs, stalls }: QualityHistory,
  { fromMs, spanMs, widthPx }: { readonly fromMs: number; readonly spanMs: number; readonly widthPx: number },
): StripLabel[] {
  const labels: StripLabel[] = [];
  const place = (timeMs: number, text: string, kind: StripLabel['kind']): void => {
    const xPx = (widthPx * (timeMs - fromMs)) / spanMs;
    const clear = labels.every((label) => Math.abs(label.xPx - xPx) >= labelWidthPx);
    if (clear && xPx >= 0 && xPx <= widthPx - labelWidthPx / 2) labels.push({ xPx, text, kind });
  };
  for (const stall of [...stalls].sort((a, b) => b.lengthMs - a.lengthMs))
    place(stall.startMs, stallLength(stall.lengthMs), 'stall');
  const stepS = tickStepsS.find((step) => spanMs / 1000 / step <= 4) ?? 120;
  const firstMs = Math.ceil((fromMs - startMs) / 1000 / stepS) * stepS * 1000;
  for (let runMs = firstMs; startMs + runMs < fromMs + spanMs; runMs += stepS * 1000)
    place(startMs + runMs, runTime(runMs), 'time');
  return labels.sort((a, b) => a.xPx - b.xPx);
}
