import { jsonSchemaVersion, type RunResult } from '../../contract/runResult';
import { firstOrigin, publishesOnly } from '../../domain/model/publisherGroup';
import type { PhaseName, RunView } from '../../domain/model/run';
import { audienceFigures } from '../../domain/run/audienceFigures';
import { endingOf } from '../../domain/run/runEnding';
import { severalAudiences } from '../../domain/plan/audiences';
import { agreementOf } from '../../domain/spotCheck/agreement';
import type { SeriesId } from '../../domain/series/series';
import { nodesInRole } from '../../domain/node/observedNodes';
import type { RunReader } from '../store';
import { expectationResults } from './expectationResults';
import { figuresOfNodes } from './figures';
import { outagesResult, publisherOutagesResult } from './outageResult';

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
  const origin = firstOrigin(plan);
  const isAlone = publishesOnly(plan);
  const clients = {
    requested: figures.requested,
    connectedPeak: figures.connectedPeak,
    failed: figures.failed,
    timeToAllMs: figures.timeToAllMs ?? null,
  };
  const atEnd = (timeMs: number, series: SeriesId): number | null =>
    total(testers.map((node) => lastBefore(reader, node, series, timeMs)));
  const hasSeveral = severalAudiences(plan).length > 0;
  const megabytes = (node: string): number | null => rounded(scaled(pick(all, node, 'processMemoryBytes')?.max, 1e-6));

  return {
    schemaVersion: jsonSchemaVersion,
    ...{ id: view.id, name: view.name },
    startedAt: new Date(view.startedMs).toISOString(),
    endedAt: view.endedMs === undefined ? null : new Date(view.endedMs).toISOString(),
    headline: view.verdict?.sentence ?? null,
    expectations: expectationResults(view),
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
      ...(isAlone ? noViewers : clients),
      connectedEnd: drain && !hasSeveral && !isAlone ? atEnd(drain.startMs, 'viewersConnected') : null,
    },
    publishers: isAlone
      ? {
          ...clients,
          connectedEnd: drain ? atEnd(drain.startMs, 'publishersLive') : null,
          sentMbps: rounded(sumHeld('publishMbps')),
          groups: (view.published ?? []).map(({ problems = [], ...group }) => ({ ...group, problems: [...problems] })),
        }
      : null,
    outages: outagesResult(view),
    publisherOutages: publisherOutagesResult(view),
    audiences: audienceFigures(view, (node, series) => pick(all, node, series)?.max).map((figure) => ({
      name: figure.name,
      requested: figure.requested,
      connectedPeak: figure.connectedPeak,
      failed: figure.failed,
      degradedMax: figure.degradedPeak,
      bitrateMbpsMax: rounded(figure.mediaInMbps),
      connectP95MsMax: rounded(figure.connectP95Ms),
      firstFrameP95MsMax: rounded(figure.firstFrameP95Ms),
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

const noViewers = { requested: 0, connectedPeak: 0, failed: 0, timeToAllMs: null };

const seconds = (view: RunView, timeMs: number): number => Number(((timeMs - view.startedMs) / 1000).toFixed(1));

function phase(view: RunView, name: PhaseName): { startMs: number; endMs: number } | undefined {
  const matchingPhases = view.phases.filter((candidate) => candidate.name === name);
  const first = matchingPhases[0];
  const last = matchingPhases[matchingPhases.length - 1];
  return first && last && { startMs: first.startMs, endMs: last.endMs ?? view.endedMs ?? Number.MAX_SAFE_INTEGER };
}

function lastBefore(reader: RunReader, node: string, series: SeriesId, timeMs: number): number | undefined {
  const { value } = reader.values(node, series, undefined, timeMs);
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
