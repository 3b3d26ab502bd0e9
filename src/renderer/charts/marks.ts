import { chartsOfReason, type ChartId } from '../../domain/charts';
import type { EventMark, RunEvent, VerdictReason } from '../../domain/run';

/** Marks that stand in the lane above a plot; freezes and phases are shown elsewhere. */
export type LaneMarkKind = Extract<EventMark, 'limit' | 'degraded' | 'lost' | 'back' | 'note'> | 'reason';

export interface LaneMark {
  readonly kind: LaneMarkKind;
  /** Since the start of the run. */
  readonly timeMs: number;
  readonly node: string | undefined;
  /** The number of a reason. */
  readonly number: number | undefined;
  /** Events it stands for. */
  readonly events: readonly number[];
}

/** Marks drawn as one: the weightiest of them, at its own place. */
export interface MarkGroup {
  readonly mark: LaneMark;
  /** Where it happened. */
  readonly x: number;
  /** Where it is drawn: numbers too near to each other step aside. */
  readonly drawnX: number;
  readonly count: number;
  readonly events: readonly number[];
}

/** Width of a numbered disc with its air. */
const discPx = 14;

const weight: Record<LaneMarkKind, number> = { reason: 6, limit: 5, degraded: 4, lost: 3, back: 2, note: 1 };

function isLaneKind(mark: EventMark): mark is Exclude<LaneMarkKind, 'reason'> {
  return mark === 'limit' || mark === 'degraded' || mark === 'lost' || mark === 'back' || mark === 'note';
}

/** The marks of a chart: events of the run, and the reasons of its verdict that this chart speaks of. */
export function laneMarks(
  chart: ChartId,
  events: readonly RunEvent[],
  reasons: readonly VerdictReason[],
  startedMs: number,
): readonly LaneMark[] {
  const fromEvents = events.flatMap(({ id, mark, timeMs, node }): LaneMark[] =>
    isLaneKind(mark)
      ? [{ kind: mark, timeMs: timeMs - startedMs, node, number: undefined, events: [id] }]
      : [],
  );
  const fromReasons = reasons
    .filter((reason) => chartsOfReason(reason).includes(chart))
    .map(({ number, timeMs, node }): LaneMark => ({
      kind: 'reason',
      timeMs: timeMs - startedMs,
      node,
      number,
      events: events.filter((event) => event.outcome === `reason ${number}`).map((event) => event.id),
    }));
  return [...fromEvents, ...fromReasons].sort((a, b) => a.timeMs - b.timeMs);
}

/** Merges marks nearer than `airPx`. Reasons are never merged with each other: each number can be found. */
export function groupMarks(
  marks: readonly LaneMark[],
  xOf: (timeMs: number) => number,
  airPx: number,
): readonly MarkGroup[] {
  const groups: MarkGroup[] = [];
  for (const mark of marks) {
    const x = xOf(mark.timeMs);
    const near = groups.at(-1);
    const bothReasons = near?.mark.kind === 'reason' && mark.kind === 'reason';
    if (!near || x - near.x >= airPx || bothReasons) {
      const drawnX = near && bothReasons ? Math.max(x, near.drawnX + discPx) : x;
      groups.push({ mark, x, drawnX, count: 1, events: mark.events });
      continue;
    }
    const isWeightier = weight[mark.kind] > weight[near.mark.kind];
    groups[groups.length - 1] = {
      mark: isWeightier ? mark : near.mark,
      x: isWeightier ? x : near.x,
      drawnX: isWeightier ? x : near.drawnX,
      count: near.count + 1,
      events: [...near.events, ...mark.events],
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
  const shown = events.filter((event) => isLaneKind(event.mark) || event.mark === 'freeze');
  return [...shown, ...reasons].map(({ timeMs }) => timeMs - startedMs);
}
