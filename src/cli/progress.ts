import { formatFigure, missing } from '../domain/text/numberFormat';
import type { NodeView } from '../domain/model/node';
import type { RunEvent, RunView } from '../domain/model/run';
import type { SampleBatch } from '../domain/series/series';
import { clientsOf, loadTesters, originNames } from '../domain/model/publisherGroup';
import { formatRunTime } from '../domain/text/timeFormat';
import { terminalLine } from '../domain/text/escape/terminal';
import { systemClock } from '../engine/base/clock';

/** Output of the progress; a terminal's block is rewritten in place, otherwise a line is added at intervals. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const lineEveryMs = 5000;
const barCells = 30;
/** A figure with one sample per second is old after this long: a tick or two may be late. */
const staleAfterMs = 3500;

/** A figure and when it was measured. */
export interface Measured {
  readonly value: number;
  readonly timeMs: number;
}

/** How many saved runs of a list are read. */
interface RunsRead {
  readonly done: number;
  readonly total: number;
}

const readingText = ({ done, total }: RunsRead): string =>
  `Reading the saved runs: ${formatFigure(done, 'integer')} of ${formatFigure(total, 'integer')}`;

/** Shows how many saved runs a command has read, on a line that a terminal rewrites. Returns what ends it. */
export function showReading(
  progress: { on(listener: (read: RunsRead) => void): () => void },
  output: ProgressOutput,
  now: () => number = systemClock.now,
): () => void {
  let saidMs = -Infinity;
  let isShown = false;
  const forget = progress.on((read) => {
    if (!output.isTTY && now() - saidMs < lineEveryMs) return;
    saidMs = now();
    isShown = true;
    output.write(output.isTTY ? `\r\u001b[K${readingText(read)}` : `${readingText(read)}\n`);
  });
  return () => {
    forget();
    if (isShown && output.isTTY) output.write('\r\u001b[K');
  };
}

/** Shows the progress of a run. */
export class Progress {
  private drawnLines = 0;
  private lastLineMs = 0;
  private originCpu: Measured | undefined;
  private read: RunsRead | undefined;

  constructor(
    private readonly output: ProgressOutput,
    private readonly now: () => number = systemClock.now,
  ) {}

  /** Keeps the origin's CPU for the next update. */
  samples(batch: SampleBatch, origin: string): void {
    const key = batch.keys.findIndex(({ node, series }) => node === origin && series === 'cpuPercent');
    const last = batch.key.lastIndexOf(key);
    const value = batch.value[last];
    const timeMs = batch.timeMs[last];
    if (key >= 0 && value !== undefined && timeMs !== undefined) this.originCpu = { value, timeMs };
  }

  private lines(run: RunView, nowMs: number): string[] {
    return [...progressLines(run, this.originCpu, nowMs), ...(this.read ? [readingText(this.read)] : [])];
  }

  event(event: RunEvent, startedMs: number): void {
    if (event.kind === 'phase' && !this.output.isTTY) return;
    this.clear();
    this.output.write(
      `${formatRunTime(event.timeMs - startedMs)}  ${terminalLine(`${event.who}: ${event.sentence}`)}\n`,
    );
  }

  run(run: RunView): void {
    const nowMs = this.now();
    if (this.output.isTTY) {
      this.clear();
      const width = Math.max(20, (this.output.columns ?? 80) - 1);
      const lines = this.lines(run, nowMs).map((line) => terminalLine(line).slice(0, width));
      this.output.write(`${lines.join('\n')}\n`);
      this.drawnLines = lines.length;
      return;
    }
    if (nowMs - this.lastLineMs < lineEveryMs) return;
    this.lastLineMs = nowMs;
    this.output.write(`${terminalLine(this.lines(run, nowMs).slice(1).join('  '))}\n`);
  }

  /** Saved runs are being read, for a baseline. */
  reading(read: RunsRead): void {
    this.read = read;
  }

  /** Removes the block from the terminal, so that something else can be written there. */
  clear(): void {
    if (this.drawnLines > 0) this.output.write(`\u001b[${this.drawnLines}A\u001b[J`);
    this.drawnLines = 0;
  }
}

/** The block: a bar, then figures. Pure, so that it can be tested. */
export function progressLines(run: RunView, originCpu: Measured | undefined, nowMs: number): string[] {
  const { figures } = run;
  const share = figures.requested > 0 ? Math.min(1, figures.connected / figures.requested) : 0;
  const bar = '#'.repeat(Math.round(share * barCells)).padEnd(barCells, '.');
  const phase = run.state === 'ended' ? 'ended' : (run.phases[run.phases.length - 1]?.name ?? 'prepare');
  const remaining = run.endsMs === undefined ? '' : `, ${formatRunTime(Math.max(0, run.endsMs - nowMs))} left`;
  const number = (value: number | undefined): string => formatFigure(value, 'adaptive');
  const clients = clientsOf(run.plan);
  const testersAge = age(run, loadTesters(run.plan), nowMs);
  const originAge = age(run, originNames(run.plan), nowMs);
  const cpuAge = originCpu === undefined ? '' : ageText(nowMs - originCpu.timeMs);
  const percent = figures.connected > 0 ? ` (${number((100 * figures.degraded) / figures.connected)} %)` : '';
  return [
    `[${bar}] ${formatFigure(figures.connected, 'integer')} / ${formatFigure(figures.requested, 'integer')} ${clients}`,
    `${formatRunTime(nowMs - run.startedMs)} ${phase}${remaining}`,
    `connected ${formatFigure(figures.connected, 'integer')}/${formatFigure(figures.requested, 'integer')}${testersAge}, connecting ${figures.connecting}, failed ${figures.failed}${clients === 'publishers' ? '' : `, degraded ${figures.degraded}${percent}, origin counts ${figures.originViewers ?? missing}${originAge}`}`,
    `${number(figures.rateAchieved)} of ${number(figures.rateTarget)} /s, ${number(figures.mediaOutMbps ?? figures.mediaInMbps)} Mbit/s, ${figures.packetsPerSecond === undefined ? '' : `${formatFigure(figures.packetsPerSecond, 'integer')} packets/s, `}origin CPU ${number(originCpu?.value)} %${cpuAge}`,
    ...(run.limit ? [`limit: ${run.limit.sentence}`] : []),
  ];
}

/** Suffix of figures of these nodes when they are old: a line that is printed again must not look current. */
function age(run: RunView, names: readonly string[], nowMs: number): string {
  const nodes = run.nodes.filter(({ id }) => names.includes(id));
  const oldest = Math.max(...nodes.map(({ lastSampleMs }) => nowMs - (lastSampleMs ?? nowMs)), 0);
  return ageText(oldest) || (nodes.some(isSilent) ? ' (old)' : '');
}

const isSilent = ({ state }: NodeView): boolean => state === 'stale' || state === 'failed';

const ageText = (ms: number): string => (ms < staleAfterMs ? '' : ` (${formatFigure(ms / 1000, 'integer')} s old)`);
