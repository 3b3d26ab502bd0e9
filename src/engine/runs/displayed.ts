import { streamsOf } from '../../domain/browserViewers/browserViewers';
import { Histogram } from '../../domain/distribution/histogram';
import { audiencesOf } from '../../domain/model/distribution';
import type { Plan } from '../../domain/model/plan';
import type { PlayerProtocol } from '../../domain/model/playerProtocols';
import { firstOrigin, publisherGroups } from '../../domain/model/publisherGroup';
import { allAudiences } from '../../domain/plan/audiences';
import { publishedStreams } from '../../domain/plan/publishRules';
import type { RunData } from './runData';

/** The distribution of what clocks in the pictures of browser viewers and the control player say. */
export const displayedDistribution = 'glassToGlassMs';

/** What one viewer displayed, and the delays of its frames. */
interface Displayed {
  readonly node: string;
  readonly stream: string;
  readonly protocol: PlayerProtocol;
  readonly delaysMs?: readonly number[] | undefined;
}

type Recorded = Pick<RunData, 'plan' | 'nodes' | 'distributions' | 'output'>;

/**
 * Takes the delays of displayed frames: those of each audience are recorded with it, under its origin. Streams that no
 * audience watches, or that publishers alone do not publish, are not part of the run. `by`: who reports, once a second.
 */
export function takeDisplayed(data: Recorded, by: object, displayed: readonly Displayed[], nowMs: number): void {
  const { plan, distributions, output } = data;
  const found = new Map<number, Histogram>();
  for (const { delaysMs = [], ...what } of displayed) {
    const place = delaysMs.length > 0 ? placeOf(data, what) : undefined;
    if (place === undefined) continue;
    const known = found.get(place) ?? new Histogram();
    found.set(place, known);
    for (const delayMs of delaysMs) known.add(delayMs);
  }
  for (const [place, histogram] of found) {
    const of = { [displayedDistribution]: histogram };
    distributions.take(by, place + 1, nowMs, of, nowMs);
    const audience = allAudiences(plan)[place]?.name ?? '';
    output.emit({ kind: 'distributions', node: originOfAudience(plan, place), audience, distributions: of });
  }
}

/** The origin under which an audience's displayed frames are recorded. */
export const originOfAudience = (plan: Plan, place: number): string =>
  audiencesOf(plan)[place]?.from ?? firstOrigin(plan);

/** The place of the audience that watches this over the same protocol; 0 for what publishers alone publish. */
function placeOf(
  { plan, nodes }: Recorded,
  { node, stream, protocol }: Omit<Displayed, 'delaysMs'>,
): number | undefined {
  const isOf = (name: string): boolean => name === node || nodes.get(name)?.id === node;
  const audiences = audiencesOf(plan);
  if (audiences.length === 0) {
    const groups = publisherGroups(plan).map(({ publication }) => publication);
    return groups.some((each) => isOf(each.node) && publishedStreams(each).includes(stream)) ? 0 : undefined;
  }
  const place = audiences.findIndex(
    (pull) => pull.protocol === protocol && isOf(pull.from) && streamsOf(pull).includes(stream),
  );
  return place < 0 ? undefined : place;
}
