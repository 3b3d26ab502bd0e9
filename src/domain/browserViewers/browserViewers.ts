import { audiencesOf } from '../model/distribution';
import type { Plan, Audience } from '../model/plan';
import { playerProtocols, type PlayerProtocol } from '../model/playerProtocols';
import { numberedName } from '../plan/pullRules';

/**
 * Browser viewers: real decoders that watch beside the audience, each for a short time, so that its figures, which come
 * from packets, can be compared with what a browser displays.
 */

/** How long one browser viewer watches before the next one takes its place. */
export const watchMs = 20_000;
const viewersPerBrowser = 50;
const usualMost = 4;

/** What a browser viewer plays. */
export interface BrowserTarget {
  /** Name of the origin in the plan. */
  readonly node: string;
  readonly stream: string;
  readonly protocol: PlayerProtocol;
}

/** The audiences that browser viewers watch, and how many do. */
export interface BrowserViewersOrder {
  readonly count: number;
  readonly pulls: readonly Audience[];
}

const isPlayable = ({ protocol }: Audience): boolean => (playerProtocols as readonly string[]).includes(protocol);

/**
 * How many browser viewers a plan has: as it says; or, if it says nothing and `isUsual`, one for each 50 viewers, max 4.
 * A limit search has none unless it says so: they would need the CPU of the testers.
 */
export function browserViewersOf(plan: Pick<Plan, 'pull' | 'also'>, isUsual: boolean): BrowserViewersOrder {
  const playable = audiencesOf(plan).filter(
    (pull) => isPlayable(pull) && !pull.withoutMedia && pull.tracks !== 'audio',
  );
  const chosen = playable.filter(({ browserViewers }) => browserViewers !== undefined);
  if (chosen.length > 0) {
    const watched = chosen.filter(({ browserViewers = 0 }) => browserViewers > 0);
    return { count: watched.reduce((sum, { browserViewers = 0 }) => sum + browserViewers, 0), pulls: watched };
  }
  const isSearch = playable.some(({ search }) => search !== undefined);
  if (!isUsual || isSearch) return { count: 0, pulls: [] };
  const viewers = playable.reduce((sum, pull) => sum + pull.viewers, 0);
  const count = Math.min(usualMost, Math.floor(viewers / viewersPerBrowser));
  return { count, pulls: count > 0 ? playable : [] };
}

/** The conjugate of the golden ratio: its multiples spread evenly over 0 to 1, however many there are. */
const goldenStep = (Math.sqrt(5) - 1) / 2;

/**
 * What browser viewer `number`, from 0, watches: the stream of one place of the audience. The places spread evenly over
 * it, so that viewers of its begin, its middle and its end are watched in turn, and each stream in proportion.
 */
export function targetOf(number: number, pulls: readonly Audience[]): BrowserTarget | undefined {
  const total = pulls.reduce((sum, { viewers }) => sum + viewers, 0);
  let place = Math.floor(((number * goldenStep) % 1) * total);
  for (const { viewers, from: node, stream, protocol, streams } of pulls) {
    if (place < viewers)
      return {
        node,
        stream: streams === undefined ? stream : numberedName(stream, (place % streams) + 1),
        protocol: protocol as PlayerProtocol,
      };
    place -= viewers;
  }
  return undefined;
}

/** Whether browser viewers of these audiences may play it. */
export function isTarget(target: BrowserTarget, pulls: readonly Audience[]): boolean {
  return pulls.some(
    (pull) => pull.from === target.node && pull.protocol === target.protocol && streamsOf(pull).includes(target.stream),
  );
}

/** The streams of an audience. */
export const streamsOf = ({ stream, streams }: Pick<Audience, 'stream' | 'streams'>): string[] =>
  streams === undefined ? [stream] : Array.from({ length: streams }, (_, index) => numberedName(stream, index + 1));
