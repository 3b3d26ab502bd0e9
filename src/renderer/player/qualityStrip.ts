import { degradedRule } from '../../domain/degraded';

/** One second of the player. `fps` is undefined when nothing played: then there is no bar. */
export interface QualitySecond {
  /** Start of the second, Unix ms. */
  readonly timeMs: number;
  readonly fps: number | undefined;
}

/** A freeze on the wall clock; `open` while it goes on. */
export interface QualityFreeze {
  readonly startMs: number;
  readonly lengthMs: number;
  readonly open: boolean;
}

export interface QualityHistory {
  /** Start of the strip, Unix ms: that of the run, or of the player when there is no run. */
  readonly startMs: number;
  readonly seconds: readonly QualitySecond[];
  readonly freezes: readonly QualityFreeze[];
}

export interface StripBox {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly nowMs: number;
  /** The stream's own frame rate; estimated from what was seen when it is not known. */
  readonly nominalFps?: number;
}

export interface StripLabel {
  readonly xPx: number;
  readonly text: string;
  readonly kind: 'time' | 'freeze';
}

export interface StripShape {
  /** SVG path data: bars that watch well, bars of a low frame rate, full-height bars of a freeze. */
  readonly good: string;
  readonly low: string;
  readonly frozen: string;
  readonly labels: readonly StripLabel[];
  readonly lowSeconds: number;
  /** 1 while every second has a bar of its own; else a bar shows the lowest of so many. */
  readonly secondsPerBar: number;
}

/** Bars stay at least this wide together with their gap, so that single seconds can be told apart. */
const leastPitchPx = 1.5;
const labelWidthPx = 36;
const tickStepsS = [30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400] as const;

/** The stream's frame rate by what was presented: the upper quartile of the seconds, once there are three. */
export function nominalFrameRate(seconds: readonly QualitySecond[]): number | undefined {
  const rates = seconds.flatMap(({ fps }) => (fps !== undefined && fps > 0 ? [fps] : []));
  if (rates.length < 3) return undefined;
  rates.sort((a, b) => a - b);
  return rates[Math.floor(rates.length * 0.75)];
}

/** Time that the strip spans: some room ahead of now, changing in steps so that bars do not creep each second. */
export function stripSpanMs(elapsedMs: number): number {
  const wantedS = (Math.max(0, elapsedMs) * 1.25) / 1000;
  const stepS = wantedS <= 600 ? 60 : wantedS <= 3600 ? 300 : 1800;
  return 1000 * Math.max(60, Math.ceil(wantedS / stepS) * stepS);
}

/** `0:42`, `1:02:03`. */
export function runTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** `0.8 s`: the length of a freeze as it is written everywhere. */
export function freezeLength(lengthMs: number): string {
  return `${(lengthMs / 1000).toFixed(1)} s`;
}

interface Bar {
  fps: number;
  low: boolean;
  frozen: boolean;
}

/** Geometry of the quality strip: pure, so that its numbers can be tested and its drawing stays three paths. */
export function layoutStrip(history: QualityHistory, box: StripBox): StripShape {
  const { widthPx, heightPx, nowMs } = box;
  const spanMs = stripSpanMs(nowMs - history.startMs);
  const secondsPerBar = Math.max(1, Math.ceil((leastPitchPx * spanMs) / 1000 / Math.max(1, widthPx)));
  const barMs = secondsPerBar * 1000;
  const pitchPx = (widthPx * barMs) / spanMs;
  const nominal = box.nominalFps ?? nominalFrameRate(history.seconds);
  const lowBelow = nominal === undefined ? 0 : degradedRule.leastFrameRateShare * nominal;
  // The stream's own rate stands at four fifths, so that a freeze at full height is seen above every bar.
  const pxPerFps = nominal === undefined ? 0 : (0.8 * heightPx) / nominal;

  const frozenBars = new Set<number>();
  for (const freeze of history.freezes) {
    const last = Math.floor((freeze.startMs + freeze.lengthMs - history.startMs) / barMs);
    for (let bar = Math.floor((freeze.startMs - history.startMs) / barMs); bar <= last; bar += 1)
      frozenBars.add(bar);
  }
  const bars = new Map<number, Bar>();
  let lowSeconds = 0;
  for (const second of history.seconds) {
    if (second.fps === undefined || second.timeMs < history.startMs) continue;
    const index = Math.floor((second.timeMs - history.startMs) / barMs);
    const frozen = frozenBars.has(index);
    const low = second.fps < lowBelow;
    if (low && !frozen) lowSeconds += 1;
    const bar = bars.get(index);
    bars.set(index, {
      fps: Math.min(bar?.fps ?? second.fps, second.fps),
      low: low || (bar?.low ?? false),
      frozen,
    });
  }
  for (const index of frozenBars) if (!bars.has(index)) bars.set(index, { fps: 0, low: false, frozen: true });

  const paths = { good: '', low: '', frozen: '' };
  const barWidthPx = pitchPx >= 3 ? pitchPx - 1 : pitchPx * 0.8;
  for (const [index, bar] of bars) {
    if (index < 0) continue;
    const kind = bar.frozen ? 'frozen' : bar.low ? 'low' : 'good';
    const tallPx = bar.frozen ? heightPx : Math.min(heightPx, Math.max(1, bar.fps * pxPerFps));
    const xPx = index * pitchPx;
    paths[kind] +=
      `M${xPx.toFixed(2)} ${heightPx}h${barWidthPx.toFixed(2)}v${(-tallPx).toFixed(1)}h${(-barWidthPx).toFixed(2)}z`;
  }
  return { ...paths, labels: labelsOf(history, spanMs, widthPx), lowSeconds, secondsPerBar };
}

/** Freezes first, the longest before the others, then the times that still find room. */
function labelsOf(history: QualityHistory, spanMs: number, widthPx: number): StripLabel[] {
  const labels: StripLabel[] = [];
  const place = (timeMs: number, text: string, kind: StripLabel['kind']): void => {
    const xPx = (widthPx * timeMs) / spanMs;
    const clear = labels.every((label) => Math.abs(label.xPx - xPx) >= labelWidthPx);
    if (clear && xPx <= widthPx - labelWidthPx / 2) labels.push({ xPx, text, kind });
  };
  for (const freeze of [...history.freezes].sort((a, b) => b.lengthMs - a.lengthMs))
    place(freeze.startMs - history.startMs, freezeLength(freeze.lengthMs), 'freeze');
  const stepS = tickStepsS.find((step) => spanMs / 1000 / step <= 4) ?? 14400;
  for (let timeMs = 0; timeMs < spanMs; timeMs += stepS * 1000) place(timeMs, runTime(timeMs), 'time');
  return labels.sort((a, b) => a.xPx - b.xPx);
}
