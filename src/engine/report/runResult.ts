import type {
  DistributionFigures,
  PhaseName,
  RunIntegrity,
  RunView,
  TesterLimitKind,
  VerdictName,
} from '../../domain/model/run';
import { audienceFigures } from '../../domain/run/audienceFigures';
import { endingOf, type RunEndingKind } from '../../domain/run/runEnding';
import type { BrowserViewersResult } from '../../domain/model/browserViewers';
import { agreementOf, type SpotCheckAgreement } from '../../domain/spotCheck/agreement';
import type { LimitResult } from '../../domain/model/limitFound';
import type { SeriesId } from '../../domain/series/series';
import { nodesInRole, type RoleInRun } from '../../domain/node/observedNodes';
import type { RunReader } from '../store';
import { figuresOfNodes } from './figures';

/** The result of a run, as printed by `--json`. A missing figure is null. */
export interface RunResult {
  /** `running` while it is still recorded. */
  readonly verdict: VerdictName | 'running' | null;
  /** How it ended; null while it runs. */
  readonly ended: { readonly kind: RunEndingKind; readonly sentence: string } | null;
  readonly reasons: readonly string[];
  /** Expectations that were skipped, and why. */
  readonly notes: readonly string[];
  /**
   * Intervals in which a tester, not the server, limited its viewers; seconds since the run's start, `toS` null when it
   * lasted to the end.
   */
  readonly testerLimits: ReadonlyArray<{
    readonly node: string;
    readonly kind: TesterLimitKind;
    readonly fromS: number;
    readonly toS: number | null;
    readonly viewers: number;
    readonly sentence: string;
  }>;
  readonly viewers: {
    readonly requested: number;
    readonly connectedPeak: number;
    /** When the drain started. */
    readonly connectedEnd: number | null;
    readonly failed: number;
    readonly timeToAllMs: number | null;
  };
  /** Of a run with several audiences: each one's highest figures. Empty otherwise. */
  readonly audiences: ReadonlyArray<{
    readonly name: string;
    readonly requested: number;
    readonly connectedPeak: number;
    readonly failed: number;
    readonly degradedMax: number;
    readonly bitrateMbpsMax: number | null;
    readonly connectP95MsMax: number | null;
    readonly firstFrameP95MsMax: number | null;
  }>;
  /** Of single viewers, over all of them and the entire run; of several audiences also of each (its place, from 1). */
  readonly distributions: readonly DistributionFigures[];
  readonly degraded: { readonly max: number; readonly percentMax: number };
  /** Received by all viewers together: mean of the hold. */
  readonly bitrateMbps: number | null;
  readonly packetsPerSecond: number | null;
  /** CPU in percent of one core, mean of the hold; largest resident memory in MB. */
  readonly agents: ReadonlyArray<{
    readonly node: string;
    readonly cpuPercentAvg: number | null;
    readonly rssMbMax: number | null;
  }>;
  readonly origin: {
    readonly node: string;
    /** Of all cores of its host, over the entire run. */
    readonly cpuPercentMax: number | null;
    readonly cpuPercentAvg: number | null;
    /** Of its own process, in percent of one core, mean of the hold. */
    readonly processCpuPercentAvg: number | null;
    readonly rssMbMax: number | null;
    readonly gcPauseMsMax: number | null;
    readonly viewersMax: number | null;
    readonly outMbpsAvg: number | null;
  };
  /**
   * Each node over the entire run: the highest CPU of its machine (percent of all cores) and of its own process (of one
   * core).
   */
  readonly nodes: ReadonlyArray<{
    readonly node: string;
    readonly role: RoleInRun;
    readonly cpuPercentMax: number | null;
    readonly processCpuPercentMax: number | null;
  }>;
  /** The browser viewers beside the audience; null without any. */
  readonly browserViewers: BrowserViewersResult | null;
  /** How far the spot checks agree with the figures; null without any. */
  readonly spotChecks: SpotCheckAgreement | null;
  /** The result of a limit search; null without a search in the plan. */
  readonly limit: LimitResult | null;
  /** Whether the data of the run are what was recorded, by their checksums. */
  readonly integrity: RunIntegrity;
  readonly runFile: string;
  readonly report: string | null;
}

/** Reads the result from a saved run, so that it matches the file. */
export function resultOf(reader: RunReader, runFile: string, report: string | null): RunResult {
  const view = reader.view();
  const { figures, plan } = view;
  const ending = endingOf(view);
  const hold = phase(view, 'hold');
  const drain = phase(view, 'drain');
  const held = hold ? reader.summaries(hold.startMs, hold.endMs) : [];
  const all = reader.summaries();
  const pick = (from: typeof all, node: string, series: SeriesId) =>
    from.find((summary) => summary.node === node && summary.series === series);
  const nodes = figuresOfNodes(view, all);
  const testers = nodesInRole(view, 'tester').map(({ id }) => id);
  const sumHeld = (series: SeriesId): number | null => total(testers.map((node) => pick(held, node, series)?.mean));
  const origin = plan.pull.from;
  const megabytes = (node: string): number | null => rounded(scaled(pick(all, node, 'processMemoryBytes')?.max, 1e-6));

  return {
    verdict: view.verdict?.verdict ?? (view.state === 'ended' ? null : 'running'),
    ended: ending ? { kind: ending.kind, sentence: ending.sentence } : null,
    reasons: view.verdict?.reasons.map((reason) => reason.sentence) ?? [],
    notes: view.verdict?.notes?.map((note) => note.sentence) ?? [],
    testerLimits: (view.testerLimits ?? []).map(({ node, kind, fromMs, toMs, viewers, sentence }) => ({
      node,
      kind,
      fromS: seconds(view, fromMs),
      toS: toMs === undefined ? null : seconds(view, toMs),
      viewers,
      sentence,
    })),
    viewers: {
      requested: figures.requested,
      connectedPeak: figures.connectedPeak,
      connectedEnd: drain ? total(testers.map((node) => lastBefore(reader, node, drain.startMs))) : null,
      failed: figures.failed,
      timeToAllMs: figures.timeToAllMs ?? null,
    },
    audiences: audienceFigures(plan, (node, series) => pick(all, node, series)?.max).map((each) => ({
      name: each.name,
      requested: each.requested,
      connectedPeak: each.connectedPeak,
      failed: each.failed,
      degradedMax: each.degradedPeak,
      bitrateMbpsMax: rounded(each.mediaInMbps),
      connectP95MsMax: rounded(each.connectP95Ms),
      firstFrameP95MsMax: rounded(each.firstFrameP95Ms),
    })),
    distributions: figures.distributions ?? [],
    degraded: { max: figures.degradedPeak, percentMax: rounded(figures.degradedPercentPeak) ?? 0 },
    bitrateMbps: rounded(sumHeld('mediaInMbps')),
    packetsPerSecond: rounded(sumHeld('packetsPerSecond'), 0),
    agents: testers.map((node) => ({
      node,
      cpuPercentAvg: rounded(pick(held, node, 'processCpuPercent')?.mean),
      rssMbMax: megabytes(node),
    })),
    origin: {
      node: origin,
      cpuPercentMax: rounded(nodes.find(({ node }) => node.id === origin || node.name === origin)?.cpuMaxPercent),
      cpuPercentAvg: rounded(pick(held, origin, 'cpuPercent')?.mean),
      processCpuPercentAvg: rounded(pick(held, origin, 'processCpuPercent')?.mean),
      rssMbMax: megabytes(origin),
      gcPauseMsMax: rounded(pick(all, origin, 'gcPauseMs')?.max, 3),
      viewersMax: pick(all, origin, 'originViewers')?.max ?? null,
      outMbpsAvg: rounded(pick(held, origin, 'originOutMbps')?.mean),
    },
    nodes: nodes.map(({ node, role, cpuMaxPercent, processCpuMaxPercent }) => ({
      node: node.name,
      role,
      cpuPercentMax: rounded(cpuMaxPercent),
      processCpuPercentMax: rounded(processCpuMaxPercent),
    })),
    browserViewers: view.browserViewers ?? null,
    spotChecks: agreementOf(reader.events().flatMap(({ spotCheck }) => spotCheck ?? [])) ?? null,
    limit: view.limit ?? null,
    integrity: reader.integrity(),
    runFile,
    report,
  };
}

const seconds = (view: RunView, timeMs: number): number => Number(((timeMs - view.startedMs) / 1000).toFixed(1));

function phase(view: RunView, name: PhaseName): { startMs: number; endMs: number } | undefined {
  const found = view.phases.filter((candidate) => candidate.name === name);
  const first = found[0];
  const last = found[found.length - 1];
  return first && last && { startMs: first.startMs, endMs: last.endMs ?? view.endedMs ?? Number.MAX_SAFE_INTEGER };
}

function lastBefore(reader: RunReader, node: string, timeMs: number): number | undefined {
  const { value } = reader.values(node, 'viewersConnected', undefined, timeMs);
  return value[value.length - 1];
}

function total(values: ReadonlyArray<number | undefined>): number | null {
  const known = values.filter((value): value is number => value !== undefined);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : null;
}

function scaled(value: number | undefined, factor: number): number | undefined {
  return value === undefined ? undefined : value * factor;
}

function rounded(value: number | null | undefined, decimals = 2): number | null {
  return value === null || value === undefined ? null : Number(value.toFixed(decimals));
}
