import { runDelay } from '../../domain/run/runDelay';
import { distributionHead, distributionRows } from '../../domain/run/distributionRows';
import type { DistributionId } from '../../domain/series/distributions';
import { integrityText } from '../../domain/run/integrityText';
import { agreementText } from '../../domain/spotCheck/agreement';
import { formatDuration } from '../../domain/text/timeFormat';
import { formatFigure, missing } from '../../domain/text/numberFormat';
import type { Verdict } from '../../domain/model/run';
import type { LimitResult } from '../../domain/model/limitFound';
import type { RunResult } from '../../contract/runResult';
import { verdictText } from '../../domain/run/verdictText';

const stillRunning = 'The run has not ended; the figures are those up to now.';

/** The verdict with its reasons, which is known before any figure is read from the run's file. */
export function verdictLines(
  verdict: Verdict | undefined,
  name: RunResult['verdict'] = verdict?.verdict ?? null,
): string[] {
  return [
    `${(name === null ? 'no verdict' : verdictText(name)).toUpperCase()}  ${verdict?.sentence ?? (name === 'running' ? stillRunning : '')}`.trimEnd(),
    ...(verdict?.reasons ?? []).map((reason) => `  ${reason.number}. ${reason.sentence} (${reason.expected})`),
    ...(verdict?.headroom ?? []).map((sentence) => `  + ${sentence}`),
    ...(verdict?.audiences ?? []).map((sentence) => `  · ${sentence}`),
    ...(verdict?.notes ?? []).map(({ sentence }) => `  - ${sentence}`),
  ];
}

/** The lines of the result. */
export const resultLines = (verdict: Verdict | undefined, result: RunResult): string[] => [
  ...verdictLines(verdict, result.verdict),
  ...figureLines(verdict, result),
];

/** The lines below the verdict. */
export function figureLines(
  verdict: Verdict | undefined,
  result: RunResult,
  shortPath: (path: string) => string = (path) => path,
): string[] {
  const figure = (value: number | null, unit: string): string =>
    value === null ? missing : `${formatFigure(value, 'adaptive')} ${unit}`;
  const { viewers, publishers, degraded, origin } = result;
  const clients = publishers ?? viewers;
  const whole = (value: number): string => formatFigure(value, 'integer');
  const rows: Array<[string, string]> = [
    ...limitRows(result.limit),
    [
      publishers ? 'publishers' : 'viewers',
      `${whole(clients.connectedPeak)} of ${whole(clients.requested)} connected, ${whole(clients.failed)} failed, ramp-up time ${clients.timeToAllMs === null ? missing : `${formatFigure(clients.timeToAllMs / 1000, 'adaptive')} s`}`,
    ],
    ...(publishers?.groups ?? []).flatMap(({ problems }) =>
      problems.map(({ sentence, count }): [string, string] => ['failed', `${whole(count)}: ${sentence}`]),
    ),
    ...outageRows(result.outages, publishers !== null),
    ...(publishers
      ? [['sent', figure(publishers.sentMbps, 'Mbit/s')] satisfies [string, string]]
      : ([
          ['degraded', `peak ${whole(degraded.max)} (${formatFigure(degraded.percentMax, 'adaptive')} %)`],
          [
            'media in',
            figure(result.bitrateMbps, 'Mbit/s') +
              (result.packetsPerSecond === null ? '' : `, ${figure(result.packetsPerSecond, 'packets/s')}`),
          ],
        ] satisfies Array<[string, string]>)),
    ...result.agents.map((agent): [string, string] => [
      agent.node,
      `agent CPU ${figure(agent.cpuPercentAvg, '% of a core')}, ${figure(agent.rssMbMax, 'MB')}`,
    ]),
    [
      origin.node,
      `peak host CPU ${figure(origin.cpuPercentMax, '%')}, longest GC pause ${figure(origin.gcPauseMsMax, 'ms')}, process ${figure(origin.processCpuPercentAvg, '% of a core')}, ${figure(origin.rssMbMax, 'MB')}`,
    ],
    ...distributionLines(result.distributions),
    ...browserRows(result.browserViewers),
    ...(result.spotChecks ? [['spot checks', agreementText(result.spotChecks)] as [string, string]] : []),
    ...(result.ended ? [['ended', result.ended.sentence] as [string, string]] : []),
    ['run file', shortPath(result.runFile)],
    ['report', result.report === null ? missing : shortPath(result.report)],
  ];
  const printed = [...(verdict?.reasons ?? []).map((reason) => reason.sentence), ...(verdict?.headroom ?? [])];
  const isPrinted = (sentence: string): boolean => printed.some((line) => line.includes(sentence));
  const data = integrityText(result.integrity);
  const width = Math.max(...rows.map(([label]) => label.length));
  return [
    // What the verdict contains of them is not repeated.
    ...result.testerLimits.filter(({ sentence }) => !isPrinted(sentence)).map(({ sentence }) => `  ! ${sentence}`),
    ...(data === undefined ? [] : [`  ! ${data}`]),
    ...rows.map(([label, text]) => `${label.padEnd(width)}  ${text}`),
  ];
}

/** The figures that a viewer notices, besides the delay. */
const printedDistributions: readonly DistributionId[] = ['connectMs', 'firstFrameMs', 'jitterMs', 'rttMs'];

function distributionLines(distributions: RunResult['distributions']): Array<[string, string]> {
  const delay = runDelay({ distributions });
  const printed = [...printedDistributions, ...(delay ? [delay.method.distribution] : [])];
  return distributionRows({ distributions })
    .filter(({ distribution }) => printed.includes(distribution))
    .map(({ title, cells }): [string, string] => [
      title,
      cells.map((cell, place) => `${distributionHead[place] ?? ''} ${cell}`).join('  '),
    ]);
}

function outageRows(outages: RunResult['outages'], isAlone: boolean): Array<[string, string]> {
  if (!outages) return [];
  const { count, sumS, longestS, reconnections, gaps } = outages;
  const whole = (value: number): string => formatFigure(value, 'integer');
  const length = (seconds: number): string => formatDuration(1000 * seconds);
  const lengths = count === 0 ? '' : `, ${length(sumS)} in total, longest ${length(longestS)}`;
  const missingData = gaps.count === 0 ? '' : `, no data for ${length(gaps.sumS)}`;
  return [
    ['outages', `${whole(count)}${lengths}${isAlone ? '' : `; ${whole(reconnections)} reconnections`}${missingData}`],
  ];
}

function browserRows(estimate: RunResult['browserViewers']): Array<[string, string]> {
  if (!estimate) return [];
  const { watched, browsers, audience, agreementPercent, problem } = estimate;
  const figure = (value: number | undefined): string => formatFigure(value, 'adaptive');
  const compared = `${figure(browsers.frameRate)} fps beside ${figure(audience.frameRate)} fps of the audience, agreement ${figure(agreementPercent)} %`;
  return [['browsers', `${watched} watched, ${watched > 0 ? compared : (problem ?? 'none displayed a picture')}`]];
}

/** The result of a limit search: the sentence, and the bottleneck, unless the verdict contains it. */
function limitRows(limit: LimitResult | null): Array<[string, string]> {
  if (!limit) return [];
  const sizes = limit.trials.map(
    ({ viewers, result }) => `${viewers}${{ met: '', missed: '!', 'tester-limited': '?', unknown: '?' }[result]}`,
  );
  return [
    ['limit', limit.sentence],
    ['sizes tried', `${sizes.join(' ')} (! failed, ? tester-limited or unknown)`],
  ];
}
