import { chartsOfReason } from '../charts';
import { type ChartId } from '../../model/chartIds';
import type { EventMark, RunEvent, VerdictReason } from '../../model/run';

/** Marks in the lane above a plot; freezes and phases are shown elsewhere. */
export type LaneMarkKind = Extract<EventMark, 'limit' | 'degraded' | 'lost' | 'recovered' | 'note'> | 'reason';

export interface LaneMark {
  readonly kind: LaneMarkKind;
  /** Since the start of the run. */
  readonly timeMs: number;
  readonly node?: string;
  /** The number of a reason. */
  readonly number?: number;
  /** The sentence of its event or reason. */
  readonly text: string;
  /** Events it represents. */
  readonly events?: readonly number[];
}

/** Marks closer than this are merged. */
const markAirPx = 10;

/** Marks drawn as one: the most important, at its own position. */
export interface MarkGroup<M extends LaneMark = LaneMark> {
  readonly mark: M;
  /** Where it happened. */
  readonly x: number;
  /** Where it is drawn: numbers too close are shifted. */
  readonly drawnX: number;
  readonly count: number;
  readonly events: readonly number[];
}

/** Room for the count beside a group. */
const countPx = 10;

/** Width of a numbered disc with its margin. */
const discPx = 14;

const weight: Record<LaneMarkKind, number> = { reason: 6, limit: 5, degraded: 4, lost: 3, recovered: 2, note: 1 };

function isLaneKind(mark: EventMark): mark is Exclude<LaneMarkKind, 'reason'> {
  return mark === 'limit' || mark === 'degraded' || mark === 'lost' || mark === 'recovered' || mark === 'note';
}

/** The marks of a chart: events of the run, and the reasons of its verdict that refer to this chart. */
export function laneMarks(
  chart: ChartId,
  events: readonly RunEvent[],
  reasons: readonly VerdictReason[],
  startedMs: number,
): readonly LaneMark[] {
  const fromEvents = events.flatMap(({ id, mark, timeMs, node, sentence }): LaneMark[] =>
    isLaneKind(mark) ? [{ kind: mark, timeMs: timeMs - startedMs, node, text: sentence, events: [id] }] : [],
  );
  const fromReasons = reasons
    .filter((reason) => chartsOfReason(reason).includes(chart))
    .map(({ number, timeMs, node, sentence }): LaneMark => ({
      kind: 'reason',
      timeMs: timeMs - startedMs,
      node,
      number,
      text: sentence,
      events: events.filter((event) => event.outcome === `reason ${number}`).map((event) => event.id),
    }));
  return [...fromEvents, ...fromReasons].sort((a, b) => a.timeMs - b.timeMs);
}

/** Merges marks that are too close. Reasons are never merged with each other: each number can be found. */
export function groupMarks<M extends LaneMark>(
  marks: readonly M[],
  xOf: (timeMs: number) => number,
): readonly MarkGroup<M>[] {
  const groups: MarkGroup<M>[] = [];
  for (const mark of marks) {
    const x = xOf(mark.timeMs);
    const near = groups.at(-1);
    const bothReasons = near?.mark.kind === 'reason' && mark.kind === 'reason';
    const counted = near && near.count > 1 ? countPx : 0;
    if (!near || x - near.drawnX >= markAirPx + counted || bothReasons) {
      const drawnX = near && bothReasons ? Math.max(x, near.drawnX + discPx + counted) : x;
      groups.push({ mark, x, drawnX, count: 1, events: mark.events ?? [] });
      continue;
    }
    const isWeightier = weight[mark.kind] > weight[near.mark.kind];
    groups[groups.length - 1] = {
      mark: isWeightier ? mark : near.mark,
      x: isWeightier ? x : near.x,
      drawnX: isWeightier ? x : near.drawnX,
      count: near.count + 1,
      events: [...near.events, ...(mark.events ?? [])],
    };
  }
  return groups;
}

/** Times of all marks, since the start of the run: where the crosshair stops when it steps from mark to mark. */
export function markTimes(
  events: readonly RunEvent[],
  reasons: readonly VerdictReason[],
  startedMs: number,
): readonly number[] {
  const shownEvents = events.filter((event) => isLaneKind(event.mark) || event.mark === 'freeze');
  return [...shownEvents, ...reasons].map(({ timeMs }) => timeMs - startedMs);
}
