import { asSentence } from '../sentence';
import { formatFigure } from '../numberFormat';
import type { FirstToGiveOut, LimitFound, Trial } from './found';

const count = (value: number): string => formatFigure(value, 'integer');
const viewers = (value: number): string => `${count(value)} viewer${value === 1 ? '' : 's'}`;
const repeats = (value: number): string => `${count(value)} repeat${value === 1 ? '' : 's'}`;

/** What gave out, within a sentence. */
const giverWords: Readonly<Record<FirstToGiveOut, string>> = {
  'origin-cpu': 'CPU of the origin gave out first',
  'origin-memory': 'memory of the origin gave out first',
  'origin-gc': "the origin's garbage collector gave out first",
  'origin-bandwidth': "the origin's bandwidth gave out first",
  'origin-sockets': "the origin's sockets gave out first",
  'origin-refuses': 'the origin refused more',
  tester: 'a tester gave out first',
  network: 'the network between gave out first',
  unknown: 'what gave out first is not known',
};

/** `262 +- 6 viewers`; undefined while there is no interval. */
export function limitFigure({
  viewers: middle,
  plusMinus,
}: Pick<LimitFound, 'viewers' | 'plusMinus'>): string | undefined {
  if (middle === undefined || plusMinus === undefined) return undefined;
  return `${count(middle)} +- ${viewers(plusMinus)}`;
}

/** The last look of a repeat that could not be finished, though earlier ones were; it says why. */
export function unfinishedRepeat({
  state,
  repeats: finished,
  trials,
}: Omit<LimitFound, 'sentence'>): Trial | undefined {
  const last = trials.at(-1);
  return state === 'found' && finished > 0 && last && last.repeat > finished ? last : undefined;
}

/** What gave out first, in a few words. */
export function giverText(what: FirstToGiveOut): string {
  return giverWords[what];
}

/** The search in one sentence, while it goes on and after it. */
export function limitSentence(found: Omit<LimitFound, 'sentence'>): string {
  const { state, held, broke, gaveOut, trials } = found;
  const least = held === undefined ? undefined : `At least ${viewers(held)}`;
  const figure = limitFigure(found);
  switch (state) {
    case 'searching':
      return searching(found);
    case 'found': {
      if (held === undefined || held === 0) return `Not even ${viewers(broke ?? 1)}${reason(found)}.`;
      const rounds =
        found.repeats > 0
          ? `${repeats(found.repeats)}${unfinishedRepeat(found) ? ', another given up' : ''}`
          : 'ended before the break was found as precisely as asked';
      return `${figure ?? least}, ${rounds}${gaveOut ? `; ${giverWords[gaveOut.what]}` : ''}.`;
    }
    case 'not-reached':
      return `${least ?? 'No viewer'}; nothing gave out.`;
    case 'tester-limited': {
      const word = trials.filter(({ result }) => result === 'tester-limited').at(-1)?.sentence;
      const shown = least
        ? `${least}; beyond, the testers gave out before the origin did.`
        : 'The testers gave out before the origin did.';
      return `${shown}${word ? ` ${word}` : ''} Add a tester or split the audience, and search again.`;
    }
    case 'unknown':
      return `${least ? `${least}; beyond, it` : 'It'} can't be said.${lastWord(found)}`;
    case 'stopped':
      return `Stopped; ${figure ? `${figure} so far` : known(found)}.`;
  }
}

function searching(found: Omit<LimitFound, 'sentence'>): string {
  const figure = limitFigure(found);
  if (figure) return `${figure} after ${repeats(found.repeats)}; the break is looked for again.`;
  if (found.trials.length === 0) return 'The first audience comes.';
  return `${asSentence(known(found))}.`;
}

/** Both ends as far as they are known, within a sentence. */
function known({ held, broke }: Omit<LimitFound, 'sentence'>): string {
  if (held !== undefined && broke !== undefined) return `${viewers(held)} held, ${count(broke)} did not`;
  if (held !== undefined) return `${viewers(held)} held, more were not tried yet`;
  return broke === undefined
    ? 'nothing is known yet'
    : `${viewers(broke)} did not hold, fewer were not tried yet`;
}

function reason({ gaveOut }: Omit<LimitFound, 'sentence'>): string {
  return gaveOut ? `; ${giverWords[gaveOut.what]}` : ' held';
}

function lastWord({ trials }: Omit<LimitFound, 'sentence'>): string {
  const last = trials.at(-1);
  return last ? ` ${last.sentence}` : '';
}

/** A search that somebody ended: what it knew until then. One that had come to its end stays as it is. */
export function stoppedSearch(found: LimitFound): LimitFound {
  if (found.state !== 'searching') return found;
  const stopped = { ...found, state: 'stopped' as const, now: undefined };
  return { ...stopped, sentence: limitSentence(stopped) };
}

/** The same search with what gave out first. */
export function withGiver(found: LimitFound, gaveOut: LimitFound['gaveOut']): LimitFound {
  if (!gaveOut) return found;
  const explained = { ...found, gaveOut };
  return { ...explained, sentence: limitSentence(explained) };
}
