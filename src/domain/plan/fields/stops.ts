import type { StopCondition } from '../../model/plan';
import { parseAmount, writeAmount } from '../../series/seriesAmount';
import { isSeries, seriesDefinitions } from '../../series/series';
import { suggestion } from '../../text/closestMatch';
import { parseDuration, writeDuration } from '../quantity';
import { listOf, type Kind } from './kind';

export const maxStops = 20;
/** Percentages of the whole run. */
export const stopShares = ['degraded', 'failed', 'cpu'] as const;
export type StopShare = (typeof stopShares)[number];
const isStopShare = (what: string): what is StopShare => (stopShares as readonly string[]).includes(what);

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
    const [, what = '', node, sign = '', amount = '', length = ''] = found;
    const comparison = sign === '<' ? '<' : '>';
    const forMs = parseDuration(length);
    if (forMs === undefined) return field.fail(`"${length}" is not a duration. ${write}`);
    if (isSeries(what)) {
      const value = parseAmount(what, amount);
      if (typeof value === 'string') return field.fail(`${value} ${write}`);
      return { what, ...(node ? { node } : {}), comparison, value, forMs };
    }
    if (!isStopShare(what))
      return field.fail(
        `"${what}" is not a stop condition. ${suggestion(what, [...stopShares, ...Object.keys(seriesDefinitions)], `Possible: ${stopShares.join(', ')}, and any series of docs/plans.md.`)}`,
      );
    if (node !== undefined)
      return field.fail(`"${what}" applies to the entire run, not to a node. Remove "of ${node}". ${write}`);
    if (comparison === '<')
      return field.fail(`"${what} <" is true from the start, so the run would end immediately. ${write}`);
    // All three are percentages, like this series.
    const value = parseAmount('cpuPercent', amount);
    if (typeof value === 'string') return field.fail(`${value.replace(': CPU is in', `: ${what} is in`)} ${write}`);
    return { what, comparison, value, forMs };
  },
  write: (condition) => JSON.stringify(stopText(condition)),
  json: { type: 'string', pattern: '^\\s*\\S+(\\s+of\\s+\\S+)?\\s*[<>]\\s*[^=].*\\s+for\\s+\\S+\\s*$' },
  words: 'text',
};

/** A condition as text, e.g. `degraded > 20% for 30s`. */
export function stopText({ what, node, comparison, value, forMs }: StopCondition): string {
  const amount = isStopShare(what) ? `${value}%` : writeAmount(what, value);
  const of = node === undefined ? '' : ` of ${node}`;
  return `${what}${of} ${comparison} ${amount} for ${writeDuration(forMs)}`;
}

export const stopsKind = listOf(stop, write, maxStops);
