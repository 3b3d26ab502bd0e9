import { percentile } from '../series/percentile';
import { delaySeries, runDelayMethods } from '../run/runDelay';
import { seriesDefinition, type SeriesId } from '../series/series';
import { md } from '../text/escape/markdown';
import { audienceGrid, originGrid } from './curves';
import { originOf } from './describeRun';
import { comparedTime, testerGrid, type Grid, type MeasuredRun } from './measuredRun';

/** A row of the SRS project's benchmark table; figures that were not measured are absent. */
export interface SrsRow {
  readonly server: string;
  /** Percent of one core if the server's own process is measured, else of the host. */
  readonly cpuPercent?: number;
  readonly isHostCpu: boolean;
  readonly memoryMb?: number;
  readonly connections: number;
  /** The stream's bitrate times the viewers. */
  readonly expectedMbps?: number;
  readonly actualMbps?: number;
  /** CPU of all testers' agents, in percent of one core. */
  readonly toolCpuPercent?: number;
  /** Median delay, by the best method that measured it; of several audiences the highest of their medians. */
  readonly latencyMs?: number;
}

/** Minimum length of a plateau, and its tolerance in viewers. */
const minSeconds = 5;
const steadyShare = 0.02;

/** Intervals of constant audience, one per size: the longest. Slots of the grid, the end excluded. */
export function plateaus({ values }: Grid): ReadonlyArray<{ from: number; to: number; viewers: number }> {
  const holds: Array<{ from: number; to: number; viewers: number }> = [];
  let from = 0;
  for (let slot = 1; slot <= values.length; slot += 1) {
    const size = values[from] ?? NaN;
    const value = values[slot] ?? NaN;
    if (slot < values.length && Math.abs(value - size) <= Math.max(0.5, size * steadyShare)) continue;
    const viewers = Math.round(Math.max(...values.subarray(from, slot)));
    if (size > 0 && slot - from >= minSeconds) holds.push({ from, to: slot, viewers });
    from = slot;
  }
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(1, b * steadyShare);
  const longest = holds.filter(
    (each) =>
      !holds.some(
        (other) =>
          other !== each &&
          near(each.viewers, other.viewers) &&
          (other.to - other.from > each.to - each.from ||
            (other.to - other.from === each.to - each.from && other.from < each.from)),
      ),
  );
  return longest.sort((a, b) => a.viewers - b.viewers);
}

/** The rows of a run: one per plateau. */
export function srsRows(run: MeasuredRun): readonly SrsRow[] {
  const { view } = run;
  const time = comparedTime(view);
  const origin = originOf(view);
  const audience = audienceGrid(run, time);
  if (!origin || !audience) return [];
  const ownGrid = (series: SeriesId): Grid | undefined => originGrid(run, time, series);
  const grids = {
    process: ownGrid('processCpuPercent'),
    host: ownGrid('cpuPercent'),
    memory: ownGrid('processMemoryBytes'),
    connections: ownGrid('originConnections'),
    streamIn: ownGrid('originInMbps'),
    out: ownGrid('originOutMbps') ?? ownGrid('networkOutMbps') ?? testerGrid(run, time, 'mediaInMbps', 'sum'),
    tool: testerGrid(run, time, 'processCpuPercent', 'sum'),
  };
  const delays = runDelayMethods.map(({ distribution }) => {
    const series = delaySeries(distribution, 'p50');
    return seriesDefinition(series)?.source === 'player' ? ownGrid(series) : testerGrid(run, time, series, 'most');
  });
  const bitrateMbps = streamMbps(run);
  return plateaus(audience).map(({ from, to, viewers }): SrsRow => {
    const mean = (grid: Grid | undefined): number | undefined => meanOf(grid, from, to);
    const cpuPercent = mean(grids.process) ?? mean(grids.host);
    const memory = mean(grids.memory);
    const perViewer = bitrateMbps ?? mean(grids.streamIn);
    const latencyMs = latencyOf(delays, from, to);
    const [actualMbps, toolCpuPercent] = [mean(grids.out), mean(grids.tool)];
    return {
      server: origin.software ?? origin.name,
      isHostCpu: mean(grids.process) === undefined,
      connections: Math.round(mean(grids.connections) ?? viewers),
      ...(cpuPercent === undefined ? {} : { cpuPercent }),
      ...(memory === undefined ? {} : { memoryMb: memory / 1e6 }),
      ...(perViewer === undefined ? {} : { expectedMbps: perViewer * viewers }),
      ...(actualMbps === undefined ? {} : { actualMbps }),
      ...(toolCpuPercent === undefined ? {} : { toolCpuPercent }),
      ...(latencyMs === undefined ? {} : { latencyMs }),
    };
  });
}

/** What one viewer of the plan's stream receives, as reported by the origin. */
function streamMbps({ view }: MeasuredRun): number | undefined {
  const stream = originOf(view)?.streams.find((stream) => stream.stream === view.plan.pull?.stream);
  return stream?.bitrateKbps === undefined ? undefined : stream.bitrateKbps / 1000;
}

function meanOf(grid: Grid | undefined, from: number, to: number): number | undefined {
  const measured = grid?.values.subarray(from, to).filter((value) => value === value);
  if (!measured || measured.length === 0) return undefined;
  return measured.reduce((sum, value) => sum + value, 0) / measured.length;
}

/** The median by the first method that measured in at least half as many seconds as any other one. */
function latencyOf(delays: ReadonlyArray<Grid | undefined>, from: number, to: number): number | undefined {
  const measured = delays.map((grid) => grid?.values.subarray(from, to).filter((value) => value === value));
  const most = Math.max(...measured.map((values) => values?.length ?? 0));
  const best = measured.find((values) => values && values.length > 0 && 2 * values.length >= most);
  return best && percentile(best.sort(), 50);
}

/** The table of the SRS project's page as Markdown, smallest audience first; a dash if nothing was measured. */
export function srsTable(rows: readonly SrsRow[]): string {
  const cell = (value: number | undefined, unit: string, decimals = 0): string =>
    value === undefined ? '-' : `${value.toFixed(decimals)}${unit}`;
  const sorted = [...rows].sort((a, b) => a.connections - b.connections || a.server.localeCompare(b.server));
  return [
    '| Server | CPU | Memory | Clients | ExpectNbps | ActualNbps | fullhouse | Latency |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...sorted.map((row) => {
      const cpu = `${cell(row.cpuPercent, '%', 1)}${row.isHostCpu && row.cpuPercent !== undefined ? ' (host)' : ''}`;
      const cells = [
        md(row.server),
        cpu,
        cell(row.memoryMb, 'MB'),
        String(row.connections),
        cell(row.expectedMbps, 'Mbps'),
        cell(row.actualMbps, 'Mbps'),
        cell(row.toolCpuPercent, '%', 1),
        cell(row.latencyMs, 'ms'),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
    'CPU: of one core, of the server\'s process; "(host)" where only the machine was measured. Clients: connections counted by the',
    'server, or viewers connected. ExpectNbps: bitrate of the stream times viewers. ActualNbps: what the server sent. fullhouse: CPU of',
    'the agents that ran the viewers, of one core. Latency: median delay while so many viewers were connected (of several',
    'audiences, the highest of their medians), by the clock in the picture, else by capture times, sender reports, or times of',
    'day in an HLS playlist.',
    '',
  ].join('\n');
}
