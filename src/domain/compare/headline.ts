import { formatFigure } from '../numberFormat';
import { seriesDefinition } from '../series';
import type { FirstLimit, RunMeasure } from './measureRun';

interface Named {
  readonly letter: string;
  readonly measure: RunMeasure;
}

const count = (value: number): string => formatFigure(value, 'integer');

const downfalls: Readonly<Record<string, string>> = {
  cpu: 'ran out of origin CPU',
  gcPause: 'paused too long for GC',
  degraded: 'had too many degraded viewers',
  connected: 'did not connect all viewers',
  tester: 'hit the limit of a tester',
  'tester-lost': 'lost a tester',
  'origin-lost': 'lost the origin',
  machine: 'ran on a busy machine',
};

/** What a run ran out of, as the end of a sentence that begins with its letter. */
function downfall({ what }: FirstLimit): string {
  return downfalls[what] ?? `broke the limit of ${seriesDefinition(what)?.title ?? what}`;
}

/** The comparison in one sentence. Runs in the order of their letters. */
export function comparisonSentence(runs: readonly Named[]): string {
  const [a, b] = runs;
  if (!a || !b) return '';
  const searched = ofSearches(runs);
  if (searched !== undefined) return searched;
  return runs.length === 2 ? ofTwo(a, b) : ofMany(runs);
}

/** Of runs that each searched for a limit: they go beyond it on purpose, so nothing else tells as much. */
function ofSearches(runs: readonly Named[]): string | undefined {
  const limits = runs.flatMap(({ letter, measure }) => limitOf(letter, measure) ?? []);
  if (limits.length < runs.length || limits.every(({ most }) => most === Infinity)) return undefined;
  const least = Math.max(...limits.map((each) => each.least));
  const most = Math.min(...limits.map((each) => each.most));
  const both = limits.length === 2 ? 'both' : 'all';
  const overlap = least <= most ? `; within each other's uncertainty, ${both} may be the same` : '';
  return `Limits found, in viewers: ${limits.map(({ text }) => text).join(', ')}${overlap}.`;
}

/** Within which the limit of a search lies, as far as it is known. */
function limitOf(
  letter: string,
  { view }: RunMeasure,
): { readonly text: string; readonly least: number; readonly most: number } | undefined {
  const { state, viewers, plusMinus = 0, held } = view.limit ?? {};
  if (state === 'found' && viewers !== undefined)
    return {
      text: `${letter} ${count(viewers)}${plusMinus > 0 ? ` ± ${count(plusMinus)}` : ''}`,
      least: viewers - plusMinus,
      most: viewers + plusMinus,
    };
  return (state === 'not-reached' || state === 'tester-limited') && held !== undefined
    ? { text: `${letter} at least ${count(held)}`, least: held, most: Infinity }
    : undefined;
}

function ofTwo(a: Named, b: Named): string {
  const difference = b.measure.connected - a.measure.connected;
  const more = difference < 0 ? a : b;
  const less = difference < 0 ? b : a;
  const carried =
    difference === 0
      ? `Both carried ${count(a.measure.connected)} viewers`
      : `${more.letter} carried ${count(Math.abs(difference))} more viewers`;
  return `${carried}${limitsOfTwo(more, less, difference === 0)}.`;
}

function limitsOfTwo(more: Named, less: Named, isEqual: boolean): string {
  const [first, second] = [more.measure.firstLimit, less.measure.firstLimit];
  if (!first && !second) return isEqual ? ', and neither met a limit' : '; neither met a limit';
  const met = ({ letter }: Named, limit: FirstLimit): string =>
    `${letter} met its first limit${limit.viewers === undefined ? '' : ` at ${count(limit.viewers)}`}`;
  if (!first && second)
    return `${isEqual ? ';' : ' and met no limit;'} ${met(less, second)}: it ${downfall(second)}`;
  if (first && !second)
    return `; ${met(more, first)}, ${less.letter} met none: ${more.letter} ${downfall(first)}`;
  if (!first || !second) return '';
  const known = first.viewers !== undefined && second.viewers !== undefined;
  const subject = isEqual ? `; ${more.letter}` : ' and';
  const at = !known
    ? ''
    : first.viewers === second.viewers
      ? '; both met their first limit at ' + count(first.viewers ?? 0)
      : `${subject} met its first limit at ${count(first.viewers ?? 0)} instead of ${count(second.viewers ?? 0)}`;
  const why =
    first.what === second.what
      ? `; both ${downfall(first)} first`
      : `; ${less.letter} ${downfall(second)}, ${more.letter} ${downfall(first)} first`;
  return at + why;
}

function ofMany(runs: readonly Named[]): string {
  const sorted = [...runs].sort((x, y) => y.measure.connected - x.measure.connected);
  const [best] = sorted;
  const worst = sorted.at(-1);
  if (!best || !worst) return '';
  const carried =
    best.measure.connected === worst.measure.connected
      ? `All ${runs.length} carried ${count(best.measure.connected)} viewers`
      : `${best.letter} carried the most viewers, ${count(best.measure.connected)}, and ${worst.letter} the fewest, ${count(worst.measure.connected)}`;
  const limited = runs.filter(({ measure }) => measure.firstLimit !== undefined);
  if (limited.length === 0) return `${carried}; none met a limit.`;
  const free = runs.filter(({ measure }) => measure.firstLimit === undefined).map(({ letter }) => letter);
  const pieces = limited.map(({ letter, measure }) => {
    const { firstLimit } = measure;
    const at = firstLimit?.viewers === undefined ? '' : ` at ${count(firstLimit.viewers)}`;
    return `${letter} ${firstLimit ? downfall(firstLimit) : ''}${at}`;
  });
  const none = free.length > 0 ? `; ${free.join(' and ')} met no limit` : '';
  return `${carried}; first limits: ${pieces.join(', ')}${none}.`;
}
