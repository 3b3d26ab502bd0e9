import type { NodeView } from '../model/node';
import { formatTenths } from '../text/numberFormat';
import type { Expectation } from '../model/plan';
import type { TesterLimit } from '../model/run';
import { isLimited } from '../tester/testerLimit';
import { firstOfEach } from '../tester/testerEffects';
import { RangeSums } from '../series/windows';
import type { Judged, Influence } from '../evidence/evidence';
import { judgedValues } from '../evidence/evidenceValues';

const windowMs = 5000;

/** The mean of a host's CPU over the 5 s until `endMs`, percent of all cores. */
interface CpuWindow {
  readonly endMs: number;
  readonly mean: number;
}

/**
 * Testers on the origin's own host that distort its CPU figure: without the usage of their agents, each window would
 * have met the limit. If that was not measured, a tester at its own limit in each window suffices. Empty if the origin
 * exceeds the limit alone.
 */
export function testersOnHost(
  judged: Judged,
  origin: NodeView,
  { value: limit }: Pick<Expectation, 'value'>,
  overs: readonly CpuWindow[],
  limits: readonly TesterLimit[],
): readonly Influence[] {
  const testers = judged.testers.filter(({ host }) => host === origin.host);
  if (testers.length === 0) return [];
  const cores = origin.machine?.cores ?? testers.find(({ machine }) => machine)?.machine?.cores;
  const used = testers.map(({ id }) => new RangeSums(judgedValues(judged, id, 'processCpuPercent')));
  const shares = overs.map(({ endMs, mean }) => {
    const means = used.map((sums) => sums.mean(endMs - windowMs, endMs));
    const isMeasured = cores !== undefined && means.some(({ count }) => count > 0);
    const percent = isMeasured ? means.reduce((sum, window) => sum + window.mean, 0) / cores : undefined;
    return { endMs, mean, percent };
  });
  const isInvalidated = shares.every(({ endMs, mean, percent }) =>
    percent === undefined
      ? testers.some(({ id }) => isLimited(limits, id, endMs - windowMs, endMs))
      : mean - percent <= limit,
  );
  if (!isInvalidated) return [];
  const limited = firstOfEach(limits.filter(({ node }) => testers.some(({ id }) => id === node)));
  const [worst] = [...shares].sort((a, b) => (b.percent ?? 0) - (a.percent ?? 0));
  const [tester] = testers;
  if (limited.length > 0 || !tester || worst?.percent === undefined) return limited;
  return [
    {
      cause: 'tester',
      sentence: `${testers.map(({ name }) => name).join(' and ')} used ${formatTenths(worst.percent)} % of the CPU of the machine shared with ${origin.name}.`,
      expected: 'expected a tester on another machine',
      timeMs: overs[0]?.endMs ?? worst.endMs,
      node: tester.id,
    },
  ];
}
