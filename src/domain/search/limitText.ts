import { asSentence } from '../text/sentence';
import { formatClients, formatCount, counted } from '../text/numberFormat';
import type { Bottleneck, LimitResult, Trial } from '../model/limitFound';

/** The bottleneck, within a sentence. */
const bottleneckTexts: Readonly<Record<Bottleneck, string>> = {
  'origin-cpu': 'bottleneck: CPU of the origin',
  'origin-memory': 'bottleneck: memory of the origin',
  'origin-gc': "bottleneck: the origin's garbage collector",
  'origin-bandwidth': "bottleneck: the origin's bandwidth",
  'origin-sockets': "bottleneck: the origin's sockets",
  'origin-refuses': 'the origin refused more #',
  tester: 'bottleneck: a tester',
  network: 'bottleneck: the network',
  unknown: 'bottleneck unknown',
};

/** `84 viewers`, `84 publishers` or `12 rooms of 7`. */
export function audienceText(size: number, roomSize: number | undefined, clients?: 'viewers' | 'publishers'): string {
  if (roomSize === undefined) return formatClients(size, clients);
  const rooms = size / roomSize;
  return `${counted(rooms, 'room')} of ${roomSize}`;
}

/** `262 +- 6 viewers`, or the largest stable number of rooms; undefined while there is no interval. */
export function limitFigure({
  viewers: middle,
  plusMinus,
  maxMet,
  roomSize,
  clients,
}: Pick<LimitResult, 'viewers' | 'plusMinus' | 'maxMet' | 'roomSize' | 'clients'>): string | undefined {
  if (middle === undefined || plusMinus === undefined) return undefined;
  if (roomSize !== undefined) return maxMet === undefined ? undefined : audienceText(maxMet, roomSize);
  return `${formatCount(middle)} +- ${formatClients(plusMinus, clients)}`;
}

/** The last trial of an unfinished repeat, if earlier ones were completed; it states why. */
export function unfinishedRepeat({
  state,
  repeats: finished,
  trials,
}: Omit<LimitResult, 'sentence'>): Trial | undefined {
  const last = trials.at(-1);
  return state === 'found' && finished > 0 && last && last.repeat > finished ? last : undefined;
}

/** The search in one sentence, during and after it. */
export function limitSentence(found: Omit<LimitResult, 'sentence'>): string {
  const { state, maxMet, minMissed, trials, clients } = found;
  const sizeText = (size: number): string => audienceText(size, found.roomSize, clients);
  const least = maxMet === undefined ? undefined : `At least ${sizeText(maxMet)}`;
  const figure = limitFigure(found);
  switch (state) {
    case 'searching':
      return searching(found);
    case 'found': {
      if (maxMet === undefined || maxMet === 0) return `Limit below ${sizeText(minMissed ?? 1)}${reason(found)}.`;
      if (found.roomSize !== undefined && minMissed !== undefined)
        return `${sizeText(maxMet)} were stable (${formatCount(maxMet)} participants), ${sizeText(minMissed)} were not${reason(found)}.`;
      const rounds =
        found.repeats > 0
          ? `${counted(found.repeats, 'repeat')}${unfinishedRepeat(found) ? ', another aborted' : ''}`
          : 'ended before the requested precision was reached';
      return `${figure ?? least}, ${rounds}${reason(found)}.`;
    }
    case 'not-reached':
      return `${least ?? (clients ? 'No publisher' : 'No viewer')}; no limit reached.`;
    case 'tester-limited': {
      const word = trials.filter(({ result }) => result === 'tester-limited').at(-1)?.sentence;
      const sentence = least
        ? `${least}; above that, the testers reached their limit before the origin.`
        : 'The testers reached their limit before the origin.';
      return `${sentence}${word ? ` ${word}` : ''} ${clients ? 'Use a stronger tester' : 'Add a tester or split the audience'}, then search again.`;
    }
    case 'unknown':
      return `${least ? `${least}; above that, the` : 'The'} result is unknown.${lastSentence(found)}`;
    case 'stopped':
      return `Stopped; ${figure ? `${figure} so far` : known(found)}.`;
  }
}

function searching(result: Omit<LimitResult, 'sentence'>): string {
  const figure = limitFigure(result);
  if (figure) return `${figure} after ${counted(result.repeats, 'repeat')}; repeating the search.`;
  if (result.trials.length === 0) return `Ramping up the first ${result.clients ?? 'audience'}.`;
  return `${asSentence(known(result))}.`;
}

/** Both ends as far as known, within a sentence. */
function known({ maxMet, minMissed, roomSize, clients }: Omit<LimitResult, 'sentence'>): string {
  const text = (size: number): string => audienceText(size, roomSize, clients);
  if (maxMet !== undefined && minMissed !== undefined)
    return `${text(maxMet)} passed, ${roomSize === undefined ? formatCount(minMissed) : text(minMissed)} failed`;
  if (maxMet !== undefined) return `${text(maxMet)} passed, more were not tried yet`;
  return minMissed === undefined ? 'no result yet' : `${text(minMissed)} failed, fewer were not tried yet`;
}

function reason({ bottleneck, clients }: Omit<LimitResult, 'sentence'>): string {
  return bottleneck ? `; ${bottleneckTexts[bottleneck.what].replace('#', clients ?? 'viewers')}` : '';
}

function lastSentence({ trials }: Omit<LimitResult, 'sentence'>): string {
  const last = trials.at(-1);
  return last ? ` ${last.sentence}` : '';
}

/** A search that the user stopped, with its results so far. One that has ended is unchanged. */
export function stoppedSearch(result: LimitResult): LimitResult {
  if (result.state !== 'searching') return result;
  const stopped = { ...result, state: 'stopped' as const, now: undefined };
  return { ...stopped, sentence: limitSentence(stopped) };
}

/** The search with its bottleneck. */
export function withBottleneck(result: LimitResult, bottleneck: LimitResult['bottleneck']): LimitResult {
  if (!bottleneck) return result;
  const explained = { ...result, bottleneck };
  return { ...explained, sentence: limitSentence(explained) };
}
