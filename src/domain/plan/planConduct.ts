import { suggestion, type PlanField } from './planField';
import { hookMoments, type PlanHook, type PlanSchedule, type StopCondition } from './plan';
import { isSeries } from './planExpectReader';
import { readTime } from './planQuantities';
import { parseDuration } from './quantity';
import { parseAmount } from '../seriesAmount';
import { seriesDefinitions, type SeriesId } from '../series';

/** Reads what a plan says of its runs besides the load: when one gives up, when it begins, and who is told. Each throws a `PlanError`. */

const mostConditions = 20;
const mostRuns = 1000;
const shares = ['degraded', 'failed', 'cpu'] as const;

export function readStop(field: PlanField | undefined): readonly StopCondition[] {
  const write = 'Write it like ["degraded > 20% for 30s"].';
  return field?.list(write, mostConditions).map(readCondition) ?? [];
}

function readCondition(field: PlanField): StopCondition {
  const write = 'Write it like "degraded > 20% for 30s" or "rttP95Ms of tester-1 > 500ms for 10s".';
  const text = field.text(write);
  const found = /^(\S+)(?:\s+of\s+(\S+))?\s*(>|<)\s*([^=].*?)\s+for\s+(\S+)$/.exec(text.trim());
  if (!found)
    return field.fail(
      /[<>]=/.test(text)
        ? `"${text}" compares by ">=" or "<=", and a run stops at ">" or "<". ${write}`
        : `"${text}" is not understood. ${write}`,
    );
  const [, what = '', node, sign = '', amount = '', length = ''] = found;
  const comparison = sign === '<' ? '<' : '>';
  const forMs = parseDuration(length);
  if (forMs === undefined) return field.fail(`"${length}" is no duration. ${write}`);
  const share = shares.find((each) => each === what);
  if (share === undefined && !isSeries(what))
    return field.fail(
      `There is no "${what}" to stop by. ${suggestion(what, [...shares, ...Object.keys(seriesDefinitions)], `Possible: ${shares.join(', ')}, and any series of docs/plans.md.`)}`,
    );
  if (share !== undefined && node !== undefined)
    return field.fail(`"${share}" is of the whole run and of no node. Leave "of ${node}" out. ${write}`);
  if (share !== undefined && comparison === '<')
    return field.fail(`"${share} <" is so from the start, so the run would end at once. ${write}`);
  // All three are shares in percent, as this series is.
  const value = parseAmount(isSeries(what) ? what : 'cpuPercent', amount);
  if (typeof value === 'string')
    return field.fail(`${share ? value.replace(': CPU is in', `: ${share} is in`) : value} ${write}`);
  return { what: share ?? (what as SeriesId), ...(node ? { node } : {}), comparison, value, forMs };
}

export function readSchedule(field: PlanField | undefined): PlanSchedule | undefined {
  if (!field) return undefined;
  const write = 'Write it like { at: 2026-11-22T03:00:00Z, repeat: 3, every: 1h }.';
  const fields = field.map(['at', 'repeat', 'every']);
  if (fields.size === 0) field.fail(`Nothing is said of when. ${write}`);
  const [at, repeat, every] = [fields.get('at'), fields.get('repeat'), fields.get('every')];
  const times = repeat?.wholeNumber(write);
  if (times !== undefined && times > mostRuns)
    repeat?.fail(`${times} runs are too many; a plan repeats itself at most ${mostRuns} times.`);
  return {
    ...(at ? { atMs: readMoment(at) } : {}),
    ...(times === undefined ? {} : { repeat: times }),
    ...(every ? { everyMs: readTime(every, write, 'Runs can not begin at the same time.') } : {}),
  };
}

const days = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** A moment as Unix ms. */
function readMoment(field: PlanField): number {
  const write = 'Write date, time and time zone, e.g. 2026-11-22T03:00:00Z or 2026-11-22T03:00:00+01:00.';
  const text = field.text(write).trim();
  const found = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/.exec(text);
  if (!found) return field.fail(`"${text}" is no moment. ${write}`);
  const [, year, month, day, zone] = found;
  if (!zone) field.fail(`"${text}" has no time zone. ${write}`);
  const ms = Date.parse(text);
  // Dates that no month has would silently be days of the next one.
  if (!Number.isFinite(ms) || ms < 0 || Number(day) > days(Number(year), Number(month)))
    return field.fail(`There is no such moment as ${text}. ${write}`);
  return ms;
}

export function readHooks(field: PlanField | undefined): readonly PlanHook[] {
  const write = 'Write it like [{ at: end, run: [notify, done] }] or [{ at: start, post: "http://..." }].';
  return (
    field?.list(write, mostConditions).map((item): PlanHook => {
      const fields = item.map(['at', 'run', 'post']);
      const at = item.required(fields, 'at', write).oneOf(hookMoments, 'Say when.');
      const [run, post] = [fields.get('run'), fields.get('post')];
      if ((run === undefined) === (post === undefined))
        return item.fail(`A hook either runs a program or posts to an address. ${write}`);
      return run ? { at, run: readProgram(run) } : { at, post: readAddress(post ?? item) };
    }) ?? []
  );
}

/** A program and its arguments: never a line for a shell, in which a name could become a command. */
function readProgram(field: PlanField): [string, ...string[]] {
  const write = 'Write the program and its arguments as a list, e.g. [notify, done].';
  const [program = '', ...rest] = field
    .list(write)
    .map((each) => each.text(`${write} Quote what is no text.`));
  return program ? [program, ...rest] : field.fail(`There is no program. ${write}`);
}

function readAddress(field: PlanField): string {
  const write = 'Write an address, e.g. "https://example.org/done".';
  const text = field.text(write).trim();
  if (!/^https?:\/\/[^\s/?#]+([/?#]\S*)?$/i.test(text)) field.fail(`"${text}" is no address. ${write}`);
  if (/^https?:\/\/[^/?#]*@/i.test(text))
    field.fail('A secret has no place in a text that is passed on. Leave what stands before "@" out.');
  return text;
}
