import { describeRun } from '../../domain/compare/describeRun';
import { isAudienceId } from '../../domain/model/audience';
import type { RunSummary, RunView } from '../../domain/model/run';
import { publishesOnly } from '../../domain/model/publisherGroup';
import { nodesInRole } from '../../domain/node/observedNodes';
import type { Sample, SeriesId } from '../../domain/series/series';

const tracePoints = 40;

/** Counts of each tester by second. */
type BySecond = Map<number, Map<string, number>>;

/** Collects from samples, as they arrive, the columns of the runs list that the view does not contain. */
export class SummaryFigures {
  private readonly cpuMax = new Map<string, number>();
  private readonly gcMax = new Map<string, number>();
  /** Viewers connected by second and tester. */
  private readonly connected: BySecond = new Map();
  private readonly published: BySecond = new Map();

  static looksAt(series: SeriesId): boolean {
    return ['cpuPercent', 'gcPauseMs', 'viewersConnected', 'publishersLive'].includes(series);
  }

  add(sample: Sample): void {
    if (sample.series === 'cpuPercent') keepMax(this.cpuMax, sample);
    else if (sample.series === 'gcPauseMs') keepMax(this.gcMax, sample);
    else if (sample.series === 'viewersConnected') count(this.connected, sample);
    else if (sample.series === 'publishersLive') count(this.published, sample);
  }

  /** The row of the runs list; `bytes` is the size of the file. */
  summary(view: RunView, bytes: number): RunSummary {
    const origins = nodesInRole(view, 'origin');
    const ended = view.state === 'ended';
    const isAlone = publishesOnly(view.plan);
    return {
      id: view.id,
      name: view.name,
      startedMs: view.startedMs,
      endedMs: view.endedMs,
      verdict: view.verdict?.verdict ?? (ended ? 'inconclusive' : 'running'),
      ...describeRun(view),
      requested: view.figures.requested,
      connectedPeak: view.figures.connectedPeak,
      cpuMaxPercent: maxOf(origins.map((node) => this.cpuMax.get(node.id))),
      degradedPercentPeak: view.figures.degradedPercentPeak,
      gcMaxMs: maxOf(origins.map((node) => this.gcMax.get(node.id))),
      viewersTrace: trace(isAlone ? this.published : this.connected),
      ...(isAlone ? { clients: 'publishers' as const } : {}),
      bytes,
    };
  }
}

/** The figures of an audience are those of the testers' viewers once more. */
function count(counts: BySecond, { timeMs, node, value }: Sample): void {
  if (isAudienceId(node)) return;
  const second = Math.floor(timeMs / 1000);
  const byTester = counts.get(second) ?? new Map<string, number>();
  byTester.set(node, value);
  counts.set(second, byTester);
}

/** Viewers connected, or publishers, in equal time slots; a slot without samples is left out. */
function trace(counts: BySecond): number[] {
  const seconds = [...counts.keys()].sort((a, b) => a - b);
  const first = seconds[0];
  const last = seconds.at(-1);
  if (first === undefined || last === undefined) return [];
  const slots = new Map<number, number>();
  for (const second of seconds) {
    const slot = Math.floor(((second - first) * tracePoints) / (last - first + 1));
    const total = [...(counts.get(second)?.values() ?? [])].reduce((sum, value) => sum + value, 0);
    slots.set(slot, total);
  }
  return [...slots.values()];
}

function keepMax(values: Map<string, number>, sample: Sample): void {
  values.set(sample.node, Math.max(values.get(sample.node) ?? -Infinity, sample.value));
}

function maxOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}
