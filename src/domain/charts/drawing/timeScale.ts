import { formatAxisTime, formatDate, formatWallTime, zoneOffsetMs, type TimeZoneChoice } from '../../text/timeFormat';
import { roundTimeStep, ticksEvery, timeStep } from './scales';

/** How the times of an axis are labelled: those of a run count from its start, those of a watched fleet are wall times. */

export interface TimeTick {
  readonly timeMs: number;
  /** Empty: a line of the grid without a label, which would touch its neighbour. */
  readonly label: string;
}

/** Times are those of the axis: ms since the start of a run, or Unix ms. */
export interface TimeScale {
  readonly ticks: (fromMs: number, toMs: number, widthPx: number) => readonly TimeTick[];
  /** One time, for the chip of the crosshair and for sentences. */
  readonly text: (timeMs: number) => string;
}

export const runTimeScale: TimeScale = {
  ticks: (fromMs, toMs, widthPx) =>
    ticksEvery(fromMs, toMs, timeStep(toMs - fromMs, widthPx, toMs)).map((timeMs) => ({
      timeMs,
      label: formatAxisTime(timeMs),
    })),
  text: formatAxisTime,
};

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Widths of labels in pixels, including margin: `14:05`, `14:05:30`, `Fri 28 Nov`. */
const minuteLabelPx = 38;
const secondLabelPx = 50;
const dateLabelPx = 62;

/** The step whose labels do not touch: those of shorter steps have seconds, those of days are dates. */
function wallStep(spanMs: number, widthPx: number): number {
  const msPerPx = spanMs / Math.max(1, widthPx);
  const seconds = roundTimeStep(msPerPx * secondLabelPx);
  if (seconds < minuteMs) return seconds;
  const minutes = Math.max(minuteMs, roundTimeStep(msPerPx * minuteLabelPx));
  return minutes < dayMs ? minutes : roundTimeStep(msPerPx * dateLabelPx);
}

/** The day without its year, `Fri 28 Nov`. */
const dayLabel = (timeMs: number, zone: TimeZoneChoice): string => formatDate(timeMs, zone).replace(/ \d{4}$/, '');

/** Wall times in a zone: ticks are round there, and midnight has the date of the day that begins. */
export function wallTimeScale(zone: TimeZoneChoice): TimeScale {
  return {
    ticks: (fromMs, toMs, widthPx) => wallTicks(fromMs, toMs, widthPx, zone),
    text: (timeMs) => formatWallTime(timeMs, zone),
  };
}

function wallTicks(fromMs: number, toMs: number, widthPx: number, zone: TimeZoneChoice): readonly TimeTick[] {
  const step = wallStep(toMs - fromMs, widthPx);
  const msPerPx = (toMs - fromMs) / Math.max(1, widthPx);
  const first = fromMs + zoneOffsetMs(fromMs, zone);
  const last = toMs + zoneOffsetMs(toMs, zone);
  const ticks: { timeMs: number; isDate: boolean }[] = [];
  for (const wall of ticksEvery(Math.min(first, last), Math.max(first, last), step)) {
    const timeMs = unixOf(wall, zone);
    // Clocks that are set forward skip a wall time.
    if (timeMs === undefined || timeMs < fromMs || timeMs > toMs) continue;
    ticks.push({ timeMs, isDate: wall % dayMs === 0 });
  }
  const dates = ticks.filter(({ isDate }) => isDate);
  const clearanceMs = ((dateLabelPx + minuteLabelPx) / 2) * msPerPx;
  return ticks.map(({ timeMs, isDate }) => {
    if (isDate) return { timeMs, label: dayLabel(timeMs, zone) };
    const isFree = dates.every((date) => Math.abs(date.timeMs - timeMs) >= clearanceMs);
    const time = formatWallTime(timeMs, zone);
    return { timeMs, label: isFree ? (step < minuteMs ? time : time.slice(0, 5)) : '' };
  });
}

/** The time at which the clocks of a zone show `wall`; undefined for one that they skip. */
function unixOf(wall: number, zone: TimeZoneChoice): number | undefined {
  const guess = wall - zoneOffsetMs(wall, zone);
  const timeMs = wall - zoneOffsetMs(guess, zone);
  return timeMs + zoneOffsetMs(timeMs, zone) === wall ? timeMs : undefined;
}
