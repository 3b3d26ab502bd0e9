import { maxWatchMs, minWatchMs, type PlanWatchTime } from '../../model/audienceValues';
import { parseDuration, writeDuration } from '../quantity';
import { duration, type Kind } from './kind';

const part = duration('').json.pattern as string;
const onePart = part.slice(1, -1);

/** `10s-60s`, or `30s` for all; a sentence for anything else. */
export function readWatchTime(text: string): PlanWatchTime | string {
  const [min, max, ...more] = text
    .replace(/\s+/g, '')
    .split(/[-–]/)
    .map((each) => parseDuration(each));
  const upper = text.includes('-') || text.includes('–') ? max : min;
  if (min === undefined || upper === undefined || more.length > 0)
    return `"${text}" is not a range of durations. Write it like 10s-60s, or 30s for all.`;
  if (min > upper) return `${writeDuration(min)} is more than ${writeDuration(upper)}. Write the shorter time first.`;
  if (min < minWatchMs || upper > maxWatchMs)
    return `A viewer watches for ${writeDuration(minWatchMs)} to ${writeDuration(maxWatchMs)}. Correct the range.`;
  return { minMs: min, maxMs: upper };
}

/** As in a plan. */
export const writeWatchTime = ({ minMs, maxMs }: PlanWatchTime): string =>
  minMs === maxMs ? writeDuration(minMs) : `${writeDuration(minMs)}-${writeDuration(maxMs)}`;

const time = { kind: duration() };

export const watchForKind: Kind<PlanWatchTime> = {
  read: (field, write) => {
    const read = readWatchTime(field.text(write));
    return typeof read === 'string' ? field.fail(read) : read;
  },
  write: writeWatchTime,
  json: { type: 'string', pattern: `^${onePart}(-${onePart})?$` },
  words: 'duration, or two as a range',
  bounds: { is: 'fields', of: { minMs: time, maxMs: time } },
};
