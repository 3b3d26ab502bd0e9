import type { StopCondition } from '../../model/plan';
import { parseAmount, writeAmount } from '../../series/seriesAmount';
import { renamedSeries } from '../../series/renamed';
import { isSeries, seriesDefinitions, type SeriesId } from '../../series/series';
import { suggestion } from '../../text/closestMatch';
import { parseDuration, writeDuration } from '../quantity';
import { listOf, type Kind } from './kind';

export const maxStops = 20;
/** Percentages of the whole run. */
export const stopShares = {
  degraded: { title: 'Degraded viewers', meaning: 'Of connected viewers.' },
  failed: { title: 'Failed viewers', meaning: 'Of requested viewers.' },
  cpu: { title: 'CPU of the origin', meaning: 'Of all cores of its host.' },
} as const satisfies Readonly<Record<Exclude<StopCondition['what'], SeriesId>, object>>;
export type StopShare = keyof typeof stopShares;
export const stopShareIds = Object.keys(stopShares) as StopShare[];
export const isStopShare = (what: string): what is StopShare => Object.hasOwn(stopShares, what);

/** Reads `20%` or `500ms`; otherwise returns an error without instructions. */
export const parseStopAmount = (what: StopCondition['what'], text: string): number | string => {
  if (!isStopShare(what)) return parseAmount(what, text);
  // All three are percentages, like this series.
  const value = parseAmount('cpuPercent', text);
  return typeof value === 'string' ? value.replace(': CPU is in', `: ${what} is in`) : value;
};

/** The inverse of `parseStopAmount`. */
export const writeStopAmount = ({ what, value }: Pick<StopCondition, 'what' | 'value'>): string =>
  isStopShare(what) ? `${value}%` : writeAmount(what, value);

const write = 'Write it like "degraded > 20% for 30s" or "rttP95Ms of tester-1 > 500ms for 10s".';

const stop: Kind<StopCondition> = {
  read: (field) => {
    const text = field.text(write);
    const found = /^(\S+)(?:\s+of\s+(\S+))?\s*(>|<)\s*([^=].*?)\s+for\s+(\S+)$/.exec(text.trim());
    if (!found)
      return field.fail(
        /[<>]=/.test(text)
          ? `"${text}" uses ">=" or "<="; stop conditions use ">" or "<". ${write}`
          : `"${text}" is not valid. ${write}`,
      );
    const [, written = '', node, sign = '', amount = '', length = ''] = found;
    const what = field.current(written, renamedSeries);
    const comparison = sign === '<' ? '<' : '>';
    const forMs = parseDuration(length);
    if (forMs === undefined) return field.fail(`"${length}" is not a duration. ${write}`);
    if (!isSeries(what) && !isStopShare(what))
      return field.fail(
        `"${what}" is not a stop condition. ${suggestion(what, [...stopShareIds, ...Object.keys(seriesDefinitions)], `Possible: ${stopShareIds.join(', ')}, and any series of docs/series.md.`)}`,
      );
    const value = parseStopAmount(what, amount);
    if (typeof value === 'string') return field.fail(`${value} ${write}`);
    if (!isStopShare(what)) return { what, ...(node ? { node: node.normalize('NFC') } : {}), comparison, value, forMs };
    if (node !== undefined)
      return field.fail(`"${what}" applies to the entire run, not to a node. Remove "of ${node}". ${write}`);
    if (comparison === '<')
      return field.fail(`"${what} <" is true from the start, so the run would end immediately. ${write}`);
    return { what, comparison, value, forMs };
  },
  write: (condition) => JSON.stringify(stopText(condition)),
  json: { type: 'string', pattern: '^\\s*\\S+(\\s+of\\s+\\S+)?\\s*[<>]\\s*[^=].*\\s+for\\s+\\S+\\s*$' },
  words: 'text',
};

/** A condition as text, e.g. `degraded > 20% for 30s`. */
function stopText({ what, node, comparison, value, forMs }: StopCondition): string {
  const of = node === undefined ? '' : ` of ${node}`;
  return `${what}${of} ${comparison} ${writeStopAmount({ what, value })} for ${writeDuration(forMs)}`;
}

export const stopsKind = listOf(stop, write, maxStops);
