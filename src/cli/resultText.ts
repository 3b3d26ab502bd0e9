import { integrityText } from '../domain/integrityText';
import { formatFigure, missing } from '../domain/numberFormat';
import type { Verdict } from '../domain/run';
import type { LimitFound } from '../domain/search/found';
import type { RunResult } from '../engine/report/runResult';

const stillRunning = 'The run is not over yet; the figures are those until now.';

/** The result for people. */
export function resultText(
  verdict: Verdict | undefined,
  result: RunResult,
  shortPath: (path: string) => string = (path) => path,
): string {
  const figure = (value: number | null, unit: string): string =>
    value === null ? missing : `${formatFigure(value, 'adaptive')} ${unit}`;
  const { viewers, degraded, origin } = result;
  const whole = (value: number): string => formatFigure(value, 'integer');
  const rows: Array<[string, string]> = [
    ...limitRows(result.limit),
    [
      'viewers',
      `${whole(viewers.connectedPeak)} of ${whole(viewers.requested)} connected, ${whole(viewers.failed)} failed, all in after ${viewers.timeToAllMs === null ? missing : `${formatFigure(viewers.timeToAllMs / 1000, 'adaptive')} s`}`,
    ],
    ['degraded', `${whole(degraded.max)} at most (${formatFigure(degraded.percentMax, 'adaptive')} %)`],
    ['media in', `${figure(result.bitrateMbps, 'Mbit/s')}, ${figure(result.packetsPerSecond, 'packets/s')}`],
    ...result.agents.map((agent): [string, string] => [
      agent.node,
      `agent CPU ${figure(agent.cpuPercentAvg, '% of a core')}, ${figure(agent.rssMbMax, 'MB')}`,
    ]),
    [
      origin.node,
      `host CPU ${figure(origin.cpuPercentMax, '%')} at most, GC pause ${figure(origin.gcPauseMsMax, 'ms')} at most, own process ${figure(origin.processCpuPercentAvg, '% of a core')}, ${figure(origin.rssMbMax, 'MB')}`,
    ],
    ...(result.ended ? [['ended', result.ended.sentence] as [string, string]] : []),
    ['run file', shortPath(result.runFile)],
    ['report', result.report === null ? missing : shortPath(result.report)],
  ];
  const said = [...(verdict?.reasons ?? []).map((reason) => reason.sentence), ...(verdict?.room ?? [])];
  const told = (sentence: string): boolean => said.some((each) => each.includes(sentence));
  const data = integrityText(result.integrity);
  const width = Math.max(...rows.map(([label]) => label.length));
  return [
    `${(result.verdict ?? 'no verdict').toUpperCase()}  ${verdict?.sentence ?? (result.verdict === 'running' ? stillRunning : '')}`.trimEnd(),
    ...(verdict?.reasons ?? []).map(
      (reason) => `  ${reason.number}. ${reason.sentence} (${reason.expected})`,
    ),
    ...(verdict?.room ?? []).map((sentence) => `  + ${sentence}`),
    ...(verdict?.notes ?? []).map(({ sentence }) => `  - ${sentence}`),
    // What the verdict says of them is not said twice.
    ...result.testerLimits.filter(({ sentence }) => !told(sentence)).map(({ sentence }) => `  ! ${sentence}`),
    ...(data === undefined ? [] : [`  ! ${data}`]),
    ...rows.map(([label, text]) => `${label.padEnd(width)}  ${text}`),
  ].join('\n');
}

/** What was found of the limit: the sentence, and what gave out, which a pass has told already. */
function limitRows(limit: LimitFound | null): Array<[string, string]> {
  if (!limit) return [];
  const sizes = limit.trials.map(
    ({ viewers, result }) =>
      `${viewers}${{ met: '', missed: '!', 'tester-limited': '?', unknown: '?' }[result]}`,
  );
  return [
    ['limit', limit.sentence],
    ['sizes tried', `${sizes.join(' ')} (! did not hold, ? says nothing of the origin)`],
  ];
}
