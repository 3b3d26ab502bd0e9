import type { PlanSchedule } from '../../model/plan';
import type { PlanField } from '../planField';
import { mapKind, type FieldsOf } from './fields';
import { duration, wholeNumber, type Kind } from './kind';

const maxRuns = 1000;
const latestMs = Date.UTC(10_000, 0) - 1;
const days = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** A time as Unix ms. */
function readTimestamp(field: PlanField): number {
  const write = 'Write date, time and time zone, e.g. 2026-11-22T03:00:00Z or 2026-11-22T03:00:00+01:00.';
  const text = field.text(write).trim();
  const found = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/.exec(text);
  if (!found) return field.fail(`"${text}" is not a time. ${write}`);
  const [, year, month, day, zone] = found;
  if (!zone) field.fail(`"${text}" has no time zone. ${write}`);
  const ms = Date.parse(text);
  // Otherwise an invalid date silently becomes one of the next month.
  if (!Number.isFinite(ms) || ms < 0 || Number(day) > days(Number(year), Number(month)))
    return field.fail(`${text} is not a valid date and time. ${write}`);
  return ms;
}

const timestamp: Kind<number> = {
  read: readTimestamp,
  write: (ms) => new Date(ms).toISOString().replace('.000Z', 'Z'),
  json: { type: 'string', format: 'date-time' },
  words: 'date and time with time zone',
  bounds: { is: 'number', unit: 'ms', isWhole: true, min: 0, max: latestMs },
};

export const scheduleFields: FieldsOf<PlanSchedule> = {
  atMs: {
    key: 'at',
    kind: timestamp,
    label: 'Start',
    help: 'When it starts; a time in the past is a warning, and starts at once',
    isOptional: true,
    absent: 'at once',
  },
  repeat: {
    key: 'repeat',
    kind: wholeNumber({
      min: 1,
      max: maxRuns,
      tooMany: (runs) => `${runs} runs are too many; a plan repeats at most ${maxRuns} times.`,
    }),
    label: 'Runs',
    placeholder: '1',
    help: 'Number of runs',
    isOptional: true,
    absent: '`1`',
  },
  everyMs: {
    key: 'every',
    kind: duration('Runs cannot start at the same time.'),
    label: 'Every',
    placeholder: 'at once',
    help: 'From start to start; a run that takes longer delays the next',
    isOptional: true,
    absent: 'immediately after the end of the one before',
  },
};

const map = mapKind(scheduleFields);

export const scheduleKind: Kind<PlanSchedule> = {
  ...map,
  read: (field) => {
    const write = 'Write it like { at: 2026-11-22T03:00:00Z, repeat: 3, every: 1h }.';
    const schedule = map.read(field, write);
    return field.map().size > 0 ? schedule : field.fail(`The schedule is empty. ${write}`);
  },
};
