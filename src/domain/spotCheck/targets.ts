import { audiencesOf } from '../model/distribution';
import type { Plan, Audience } from '../model/plan';
import { playableOf, type PlayerProtocol } from '../model/playerProtocols';
import { numberedName } from '../plan/pullRules';

/** What a spot check plays. */
export interface SpotCheckTarget {
  /** Name of the origin in the plan. */
  readonly node: string;
  readonly stream: string;
  /** That of the audience; undefined if the player does not play it, then the preferred one of the server. */
  readonly protocol: PlayerProtocol | undefined;
}

/** Each stream that an audience of the plan pulls from each origin over each protocol, once. */
export function spotCheckTargets(plan: Pick<Plan, 'pull' | 'also'>): readonly SpotCheckTarget[] {
  const targets = audiencesOf(plan)
    .filter(({ withoutMedia, tracks }) => !withoutMedia && tracks !== 'audio')
    .flatMap((pull) =>
      streamsOf(pull).map((stream) => ({ node: pull.from, stream, protocol: playableOf([pull.protocol])[0] })),
    );
  return [...new Map(targets.map((target) => [JSON.stringify(Object.values(target)), target])).values()];
}

function streamsOf({ stream, streams, rooms, viewers }: Audience): readonly string[] {
  const count = rooms ? viewers / rooms.size : streams;
  if (count === undefined) return [stream];
  return Array.from({ length: count }, (_, index) => numberedName(stream, index + 1));
}

/** One of them at random, each equally likely; undefined without any. `random` is from 0 to below 1. */
export function chosenTarget<T>(targets: readonly T[], random: () => number): T | undefined {
  return targets[Math.floor(random() * targets.length)];
}
