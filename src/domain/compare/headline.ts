import { formatCount } from '../text/numberFormat';
import { seriesDefinition } from '../series/series';
import type { FirstLimit, RunMeasure } from './measureRun';

interface Named {
  readonly letter: string;
  readonly measure: RunMeasure;
}

const reachedLimits: Readonly<Record<string, string>> = {
  cpu: 'exceeded the origin CPU limit',
  gcPause: 'exceeded the GC pause limit',
  degraded: 'had too many degraded viewers',
  connected: 'did not connect all viewers',
  outages: 'had too long an outage',
  publisher: 'lost a publisher',
  tester: 'reached the limit of a tester',
  'tester-lost': 'lost a tester',
  'origin-lost': 'lost the origin',
  machine: 'ran on a busy machine',
};

/** What the runs count. */
const clientsIn = (runs: readonly Named[]): string =>
  [...new Set(runs.map(({ measure }) => measure.clients))].sort().reverse().join(' or ');

/** The limit that a run reached, as the end of a sentence that starts with its letter. */
function reachedLimit({ what }: FirstLimit): string {
  return reachedLimits[what] ?? `exceeded the limit of ${seriesDefinition(what)?.title ?? what}`;
}

/** The comparison in one sentence. Runs in the order of their letters. */
export function comparisonSentence(runs: readonly Named[]): string {
  const [a, b] = runs;
  if (!a || !b) return '';
  const searched = ofSearches(runs);
  if (searched !== undefined) return searched;
  return runs.length === 2 ? ofTwo(a, b) : ofMany(runs);
}

/** Summary of runs that all searched for a limit: they exceed it on purpose, so the limits are the best summary. */
function ofSearches(runs: readonly Named[]): string | undefined {
  const limits = runs.flatMap(({ letter, measure }) => limitOf(letter, measure) ?? []);
  if (limits.length < runs.length || limits.every(({ most }) => most === Infinity)) return undefined;
  const least = Math.max(...limits.map((limit) => limit.least));
  const most = Math.min(...limits.map((limit) => limit.most));
  const both = limits.length === 2 ? 'both' : 'all';
  const overlap = least <= most ? `; the intervals overlap, so ${both} may be the same` : '';
  return `Limits found, in ${clientsIn(runs)}: ${limits.map(({ text }) => text).join(', ')}${overlap}.`;
}

/** The interval in which the limit of a search lies, as far as it is known. */
function limitOf(
  letter: string,
  { view }: RunMeasure,
): { readonly text: string; readonly least: number; readonly most: number } | undefined {
  const { state, viewers, plusMinus = 0, maxMet } = view.limit ?? {};
  if (state === 'found' && viewers !== undefined)
    return {
      text: `${letter} ${formatCount(viewers)}${plusMinus > 0 ? ` ± ${formatCount(plusMinus)}` : ''}`,
      least: viewers - plusMinus,
      most: viewers + plusMinus,
    };
  return (state === 'not-reached' || state === 'tester-limited') && maxMet !== undefined
    ? { text: `${letter} at least ${formatCount(maxMet)}`, least: maxMet, most: Infinity }
    : undefined;
}

function ofTwo(a: Named, b: Named): string {
  const clients = clientsIn([a, b]);
  const difference = b.measure.connected - a.measure.connected;
  const more = difference < 0 ? a : b;
  const less = difference < 0 ? b : a;
  const connected =
    difference === 0
      ? `Both connected ${formatCount(a.measure.connected)} ${clients}`
      : `${more.letter} connected ${formatCount(Math.abs(difference))} more ${clients}`;
  return `${connected}${limitsOfTwo(more, less, difference === 0)}.`;
}

function limitsOfTwo(more: Named, less: Named, isEqual: boolean): string {
  const [first, second] = [more.measure.firstLimit, less.measure.firstLimit];
  if (!first && !second) return isEqual ? ', and neither reached a limit' : '; neither reached a limit';
  const met = ({ letter }: Named, limit: FirstLimit): string =>
    `${letter} reached its first limit${limit.viewers === undefined ? '' : ` at ${formatCount(limit.viewers)}`}`;
  if (!first && second)
    return `${isEqual ? ';' : ' and reached no limit;'} ${met(less, second)}: it ${reachedLimit(second)}`;
  if (first && !second)
    return `; ${met(more, first)}, ${less.letter} reached none: ${more.letter} ${reachedLimit(first)}`;
  if (!first || !second) return '';
  const known = first.viewers !== undefined && second.viewers !== undefined;
  const subject = isEqual ? `; ${more.letter}` : ' and';
  const at = !known
    ? ''
    : first.viewers === second.viewers
      ? '; both reached their first limit at ' + formatCount(first.viewers ?? 0)
      : `${subject} reached its first limit at ${formatCount(first.viewers ?? 0)} instead of ${formatCount(second.viewers ?? 0)}`;
  const why =
    first.what === second.what
      ? `; both ${reachedLimit(first)} first`
      : `; ${less.letter} ${reachedLimit(second)}, ${more.letter} ${reachedLimit(first)} first`;
  return at + why;
}

function ofMany(runs: readonly Named[]): string {
  const sorted = [...runs].sort((x, y) => y.measure.connected - x.measure.connected);
  const [best] = sorted;
  const worst = sorted.at(-1);
  if (!best || !worst) return '';
  const connected =
    best.measure.connected === worst.measure.connected
      ? `All ${runs.length} connected ${formatCount(best.measure.connected)} ${clientsIn(runs)}`
      : `${best.letter} connected the most ${clientsIn(runs)}, ${formatCount(best.measure.connected)}, and ${worst.letter} the fewest, ${formatCount(worst.measure.connected)}`;
  const limited = runs.filter(({ measure }) => measure.firstLimit !== undefined);
  if (limited.length === 0) return `${connected}; none reached a limit.`;
  const free = runs.filter(({ measure }) => measure.firstLimit === undefined).map(({ letter }) => letter);
  const pieces = limited.map(({ letter, measure }) => {
    const { firstLimit } = measure;
    const at = firstLimit?.viewers === undefined ? '' : ` at ${formatCount(firstLimit.viewers)}`;
    return `${letter} ${firstLimit ? reachedLimit(firstLimit) : ''}${at}`;
  });
  const none = free.length > 0 ? `; ${free.join(' and ')} reached no limit` : '';
  return `${connected}; first limits: ${pieces.join(', ')}${none}.`;
}
