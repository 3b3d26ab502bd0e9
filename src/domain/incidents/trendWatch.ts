/** The latest values by which a trend is judged. */
const windowMs = 600_000;
/** Fewer say nothing. */
const minSpanMs = 300_000;
const minPoints = 20;
/** Values closer than this add nothing. */
const everyMs = 10_000;
/** A share of 1: how well a line describes the values. Noise and the sawtooth of a garbage collector are below. */
const minFit = 0.9;
/** The same result so many times before it counts. */
const confirmations = 3;

interface Point {
  readonly timeMs: number;
  readonly value: number;
}

export interface TrendCrossing {
  readonly crossing: 'over' | 'back';
  readonly sinceMs: number;
  /** Until the limit is reached. */
  readonly leftMs: number;
}

/** Finds out when a value that grows steadily reaches its limit. */
export class TrendWatch {
  private points: Point[] = [];
  private sinceMs = 0;
  private confirmed = 0;

  constructor(
    private readonly withinMs: number,
    public isOver = false,
  ) {}

  /** `limit` in the unit of the value. */
  take(timeMs: number, value: number, limit: number): TrendCrossing | undefined {
    const last = this.points.at(-1);
    if (last && timeMs < last.timeMs) this.points = [];
    else if (last && timeMs - last.timeMs < everyMs) return undefined;
    this.points.push({ timeMs, value });
    while ((this.points[0]?.timeMs ?? timeMs) < timeMs - windowMs) this.points.shift();
    if (this.points.length < minPoints || timeMs - (this.points[0]?.timeMs ?? timeMs) < minSpanMs) return undefined;
    const { slope, fit } = line(this.points);
    const leftMs = slope > 0 ? (limit - value) / slope : Infinity;
    const isOther = this.isOver ? leftMs > 2 * this.withinMs : fit >= minFit && leftMs >= 0 && leftMs < this.withinMs;
    if (!isOther) {
      this.confirmed = 0;
      return undefined;
    }
    if (this.confirmed === 0) this.sinceMs = timeMs;
    this.confirmed += 1;
    if (this.confirmed < confirmations) return undefined;
    this.confirmed = 0;
    this.isOver = !this.isOver;
    return { crossing: this.isOver ? 'over' : 'back', sinceMs: this.sinceMs, leftMs };
  }

  pause(): void {
    this.points = [];
    this.confirmed = 0;
  }
}

/** Least squares: growth per ms, and the share of the variance that it explains. */
function line(points: readonly Point[]): { readonly slope: number; readonly fit: number } {
  const [first] = points;
  if (!first) return { slope: 0, fit: 0 };
  const count = points.length;
  const meanT = points.reduce((sum, { timeMs }) => sum + (timeMs - first.timeMs), 0) / count;
  const meanV = points.reduce((sum, { value }) => sum + value, 0) / count;
  let tt = 0;
  let tv = 0;
  let vv = 0;
  for (const { timeMs, value } of points) {
    const t = timeMs - first.timeMs - meanT;
    tt += t * t;
    tv += t * (value - meanV);
    vv += (value - meanV) ** 2;
  }
  return { slope: tv / tt, fit: vv === 0 ? 0 : tv ** 2 / (tt * vv) };
}
