import { failedAt } from '../../domain/failure/causes';
import { asSentence } from '../../domain/text/sentence';
import type { NodeState } from '../../domain/model/node';
import type { Expectation, Expectations } from '../../domain/model/plan';
import { busyNow, takenPercent, type OtherShare } from '../../domain/model/otherLoad';
import type { FailureGroup, RunEvent, RunFigures, TesterLimitKind } from '../../domain/model/run';
import { seconds } from '../base/sentences';
import { DisagreementWatch } from './watch/disagreement';
import { FailureWatch } from './watch/failures';
import { LimitWatch } from './watch/limit';
import type { LimitChange } from './watch/testers';
import { formatCount, formatRounded, formatViewers } from '../../domain/text/numberFormat';

const ofAudience = ({ audience }: FailureGroup): string => (audience === undefined ? '' : ` of ${audience}`);

export type NewEvent = Omit<RunEvent, 'id'>;

/** All monitoring during a run; findings are returned as events. */
export class RunWatchers {
  private readonly cpu = new Map<string, LimitWatch>();
  private readonly gc = new Map<string, LimitWatch>();
  private readonly degraded: LimitWatch | undefined;
  private readonly failures = new FailureWatch();
  private readonly disagreement = new DisagreementWatch();
  private readonly streams = new Map<string, boolean>();
  private readonly clockProblems = new Map<string, LimitWatch>();

  /** Only what the plan has an expectation for is monitored. */
  constructor(private readonly expect: Expectations) {
    this.degraded = expect.degraded && limitWatch(expect.degraded, 1000, 3000);
  }

  /** CPU of an origin's host. */
  originCpu(
    timeMs: number,
    node: string,
    percent: number | undefined,
    connected: number,
    others?: OtherLoadNow,
  ): NewEvent[] {
    const { cpu } = this.expect;
    if (!cpu) return [];
    const limit = cpu.value;
    const watch = watchOf(this.cpu, node, () => limitWatch(cpu, 3000, 3000));
    const change = watch.update(timeMs, percent);
    if (!change || percent === undefined) return [];
    const busy = change === 'over' ? busyInstead(node, percent, limit, others) : undefined;
    if (busy !== undefined) return [{ timeMs, kind: 'threshold', mark: 'none', node, who: node, sentence: busy }];
    const sentence =
      change === 'over'
        ? `CPU over ${formatRounded(limit)} % at ${formatViewers(connected)}: ${formatRounded(percent)} %`
        : `CPU back under ${formatRounded(limit)} %: ${formatRounded(percent)} %`;
    return [{ timeMs, kind: 'threshold', mark: change === 'over' ? 'limit' : 'none', node, who: node, sentence }];
  }

  /**
   * GC pauses of an origin's process; a second without one counts as 0 here, since a pause is an event and not a state.
   */
  originGc(timeMs: number, node: string, pauseMs: number | undefined, connected: number): NewEvent[] {
    const { gcPause } = this.expect;
    if (!gcPause) return [];
    const limit = gcPause.value;
    const watch = watchOf(this.gc, node, () => limitWatch(gcPause, 0, 10_000));
    const change = watch.update(timeMs, pauseMs ?? 0);
    if (!change) return [];
    const sentence =
      change === 'over'
        ? `GC pause of ${formatRounded(pauseMs ?? 0)} ms, over ${formatRounded(limit)} ms, at ${formatViewers(connected)}`
        : `No GC pause over ${formatRounded(limit)} ms for 10 s`;
    return [{ timeMs, kind: 'threshold', mark: change === 'over' ? 'limit' : 'none', node, who: node, sentence }];
  }

  figures(figures: RunFigures): NewEvent[] {
    const { timeMs, degraded, connected } = figures;
    const percent = connected > 0 ? (100 * degraded) / connected : undefined;
    const change = this.degraded?.update(timeMs, percent);
    if (!change) return [];
    const limit = formatRounded(this.expect.degraded?.value ?? 0);
    const sentence =
      change === 'over'
        ? `Degraded viewers over ${limit} %: ${formatCount(degraded)} of ${formatCount(connected)}`
        : `Degraded viewers back under ${limit} %: ${formatCount(degraded)} of ${formatCount(connected)}`;
    return [{ timeMs, kind: 'threshold', mark: change === 'over' ? 'degraded' : 'none', who: 'audience', sentence }];
  }

  failed(timeMs: number, groups: readonly FailureGroup[]): NewEvent[] {
    return this.failures.update(groups).map(({ group, first }) => ({
      timeMs: first ? group.example.timeMs : timeMs,
      kind: 'failure',
      mark: 'none',
      node: group.tester,
      who: group.tester,
      sentence: first
        ? `Viewer ${formatCount(group.example.viewer)}${ofAudience(group)} failed at ${failedAt(group)}. ${group.example.detail}`
        : `${formatViewers(group.count)}${ofAudience(group)} have failed at ${failedAt(group)}`,
    }));
  }

  audience(timeMs: number, connected: number, arrived: number): void {
    this.disagreement.audience({ timeMs, connected, arrived });
  }

  /** `timeout`: why an origin may count viewers that have disconnected. */
  originViewers(timeMs: number, node: string, count: number, timeout?: string): NewEvent[] {
    const disagreement = this.disagreement.origin(timeMs, count);
    if (!disagreement) return [];
    const why = timeout !== undefined && disagreement.origin > disagreement.audience ? `: ${timeout}` : '';
    const sentence =
      disagreement.state === 'disagree'
        ? `Viewer counts differ: testers ${formatCount(disagreement.audience)}, ${node} ${formatCount(disagreement.origin)}${why}`
        : `Viewer counts of testers and ${node} agree again: ${formatCount(disagreement.origin)}`;
    return [{ timeMs, kind: 'disagreement', mark: 'none', node, who: node, sentence }];
  }

  /** Whether a stream that is pulled is still served. */
  stream(timeMs: number, node: string, stream: string, served: boolean): NewEvent[] {
    const key = `${node} ${stream}`;
    const before = this.streams.get(key);
    this.streams.set(key, served);
    if (before === undefined || before === served) return [];
    const sentence = served ? `Stream ${stream} is live again` : `Stream ${stream} is no longer live on ${node}`;
    return [{ timeMs, kind: 'stream', mark: served ? 'recovered' : 'lost', node, who: node, sentence }];
  }

  /** Whether the delay of a stream can be measured on a tester: `problem` is why not. */
  clocks(timeMs: number, node: string, stream: string, problem: string | undefined): NewEvent[] {
    const watch = watchOf(
      this.clockProblems,
      `${node} ${stream}`,
      () => new LimitWatch({ limit: 0, comparison: '<=', overForMs: 10_000, backForMs: 10_000 }),
    );
    const change = watch.update(timeMs, problem === undefined ? 0 : 1);
    if (!change) return [];
    const sentence = problem ?? `One-way delay of ${stream} is measured again`;
    return [{ timeMs, kind: 'node', mark: 'none', node, who: node, sentence }];
  }

  nodeState(timeMs: number, node: string, state: NodeState, before: NodeState, problem?: string): NewEvent[] {
    const lost = state === 'stale' || state === 'failed';
    const wasLost = before === 'stale' || before === 'failed';
    if (lost && !wasLost)
      return [
        {
          timeMs,
          kind: 'node',
          mark: 'lost',
          node,
          who: node,
          sentence: withoutName(problem, node) ?? `${node} stopped responding`,
        },
      ];
    if (state === 'failed' && before === 'stale')
      return [
        {
          timeMs,
          kind: 'node',
          mark: 'lost',
          node,
          who: node,
          sentence: withoutName(problem, node) ?? `${node} has ended`,
        },
      ];
    if (state === 'live' && wasLost)
      return [{ timeMs, kind: 'node', mark: 'recovered', node, who: node, sentence: `${node} responds again` }];
    return [];
  }
}

/** Current use of a node's host by other programs. */
export interface OtherLoadNow {
  readonly host: string;
  readonly share: OtherShare | undefined;
}

/** The busy machine instead of the origin, if the CPU would be within its limit without other programs. */
function busyInstead(
  node: string,
  percent: number,
  limit: number,
  others: OtherLoadNow | undefined,
): string | undefined {
  const { host, share } = others ?? {};
  if (host === undefined || !share || percent - takenPercent(share) > limit) return undefined;
  const busy = busyNow(host, node, share);
  return busy && `${asSentence(busy)}; CPU ${formatRounded(percent)} %, over ${formatRounded(limit)} %`;
}

/** Start and end of the intervals in which a tester, not the server, limited the viewers. */
export function testerLimitEvents(nowMs: number, changes: readonly LimitChange[]): NewEvent[] {
  return changes.map(({ state, limit }) => ({
    timeMs: state === 'began' ? limit.fromMs : (limit.toMs ?? nowMs),
    kind: 'threshold',
    mark: state === 'began' ? 'limit' : 'none',
    node: limit.node,
    who: limit.node,
    sentence:
      state === 'began'
        ? `Tester-limited: ${limit.sentence.replace(`${limit.node} was at its own limit: `, '')}`
        : `Tester-limited no longer: ${limitWords[limit.kind]}, after ${seconds((limit.toMs ?? nowMs) - limit.fromMs)}`,
  }));
}

const limitWords: Readonly<Record<TesterLimitKind, string>> = {
  cpu: 'CPU headroom is back',
  'socket-buffers': 'datagrams are no longer dropped',
  'open-files': 'open files are available again',
  ports: 'ports are available again',
  memory: 'memory headroom is back',
  network: 'network headroom is back',
  arrivals: 'viewers start on time again',
};

function limitWatch({ comparison, value }: Expectation, overForMs: number, backForMs: number): LimitWatch {
  return new LimitWatch({ limit: value, comparison, overForMs, backForMs });
}

function watchOf(map: Map<string, LimitWatch>, node: string, make: () => LimitWatch): LimitWatch {
  const known = map.get(node) ?? make();
  map.set(node, known);
  return known;
}

/** The log has a column for the node; the name at the start of the sentence would repeat it. */
function withoutName(sentence: string | undefined, node: string): string | undefined {
  if (!sentence?.startsWith(`${node}: `)) return sentence;
  return asSentence(sentence.slice(node.length + 2), [node]);
}
