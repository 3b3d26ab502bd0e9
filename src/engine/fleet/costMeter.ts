import type { RunView } from '../../domain/model/run';
import { isRealNetwork } from '../../domain/plan/networkPresets';
import type { Sample } from '../../domain/series/series';
import { measuredCost } from '../../domain/tester/viewerLimit';
import { type ViewerCost } from '../../domain/model/testerMeasured';

/** The first seconds after a ramp cost more than those that follow. */
const settlingMs = 5000;
const minSeconds = 10;

interface Second {
  readonly timeMs: number;
  readonly corePercent: number;
}

/** Measures what the viewers of a run cost its testers, while all of them are connected. */
export class CostMeter {
  private runId: string | undefined;
  private readonly cpu = new Map<string, Second[]>();
  private readonly media = new Map<string, number[]>();
  private readonly viewers = new Map<string, number[]>();

  /** `run`: the active run. Only samples of its hold count. */
  take(run: RunView, samples: readonly Sample[]): void {
    if (run.id !== this.runId) this.begin(run.id);
    const hold = run.phases.find(({ name }) => name === 'hold');
    if (!hold || hold.endMs !== undefined) return;
    for (const { node, series, timeMs, value } of samples) {
      if (timeMs < hold.startMs + settlingMs) continue;
      if (series === 'processCpuPercent') put(this.cpu, node, { timeMs, corePercent: value });
      else if (series === 'mediaInMbps') put(this.media, node, value);
      else if (series === 'viewersConnected') put(this.viewers, node, value);
    }
  }

  /** What was measured on the testers of an ended run. */
  costs(run: RunView): ReadonlyArray<{ readonly node: string; readonly cost: ViewerCost }> {
    // Publishers cost something else.
    if (!run.plan.pull) return [];
    const { protocol, fidelity, network, transport, tracks } = run.plan.pull;
    const isUsual =
      (fidelity ?? 'media-only') === 'media-only' &&
      isRealNetwork(network) &&
      transport !== 'tcp' &&
      tracks !== 'audio';
    if (run.id !== this.runId || (run.plan.also?.length ?? 0) > 0 || !isUsual) return [];
    const limited = new Set((run.testerLimits ?? []).map(({ node }) => node));
    return run.nodes.flatMap(({ id, role, group }) => {
      const seconds = this.cpu.get(id) ?? [];
      // The CPU of a group is that of its busiest member.
      if (role !== 'tester' || group || limited.has(id) || seconds.length < minSeconds) return [];
      const cost = measuredCost({
        protocol,
        viewers: mean(this.viewers.get(id) ?? []),
        corePercent: mean(seconds.map(({ corePercent }) => corePercent)),
        mediaMbps: mean(this.media.get(id) ?? []),
        measuredMs: run.endedMs ?? seconds.at(-1)?.timeMs ?? 0,
      });
      return cost ? [{ node: id, cost }] : [];
    });
  }

  private begin(run: string): void {
    this.runId = run;
    for (const meter of [this.cpu, this.media, this.viewers]) meter.clear();
  }
}

/** An hour of samples is as good as a day. */
const maxKept = 3600;

function put<Value>(into: Map<string, Value[]>, node: string, value: Value): void {
  const known = into.get(node);
  if (!known) into.set(node, [value]);
  else if (known.length < maxKept) known.push(value);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
