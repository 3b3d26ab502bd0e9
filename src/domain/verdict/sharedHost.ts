import type { NodeView } from '../node';
import { formatFigure } from '../numberFormat';
import type { Expectation } from '../plan/plan';
import type { TesterLimit } from '../run';
import { isLimited } from '../tester/testerLimit';
import { firstOfEach } from '../tester/testerSpoilers';
import { Stretches } from '../windows';
import type { Judged, Spoiler } from './judged';
import { judgedValues } from './judgedValues';

const windowMs = 5000;

/** The mean of a host's CPU over the 5 s until `endMs`, percent of all cores. */
interface CpuWindow {
  readonly endMs: number;
  readonly mean: number;
}

/**
 * Testers on the origin's own host that spoilt its CPU: in each window over the limit it would have been met without what their agents used.
 * Where that was not measured, a tester at its own limit in each of them is enough. Empty where the origin's host is over its limit without them.
 */
export function testersOnHost(
  judged: Judged,
  origin: NodeView,
  { value: limit }: Pick<Expectation, 'value'>,
  overs: readonly CpuWindow[],
  limits: readonly TesterLimit[],
): readonly Spoiler[] {
  const testers = judged.testers.filter(({ host }) => host === origin.host);
  if (testers.length === 0) return [];
  const cores = origin.machine?.cores ?? testers.find(({ machine }) => machine)?.machine?.cores;
  const used = testers.map(({ id }) => new Stretches(judgedValues(judged, id, 'processCpuPercent')));
  const shares = overs.map(({ endMs, mean }) => {
    const means = used.map((each) => each.mean(endMs - windowMs, endMs));
    const isMeasured = cores !== undefined && means.some(({ count }) => count > 0);
    const percent = isMeasured ? means.reduce((sum, each) => sum + each.mean, 0) / cores : undefined;
    return { endMs, mean, percent };
  });
  const isSpoilt = shares.every(({ endMs, mean, percent }) =>
    percent === undefined
      ? testers.some(({ id }) => isLimited(limits, id, endMs - windowMs, endMs))
      : mean - percent <= limit,
  );
  if (!isSpoilt) return [];
  const told = firstOfEach(limits.filter(({ node }) => testers.some(({ id }) => id === node)));
  const [worst] = [...shares].sort((a, b) => (b.percent ?? 0) - (a.percent ?? 0));
  const [tester] = testers;
  if (told.length > 0 || !tester || worst?.percent === undefined) return told;
  return [
    {
      cause: 'tester',
      sentence: `${testers.map(({ name }) => name).join(' and ')} used ${figure(worst.percent)} % of the CPU of the machine shared with ${origin.name}.`,
      expected: 'expected a tester on another machine',
      timeMs: overs[0]?.endMs ?? worst.endMs,
      node: tester.id,
    },
  ];
}

const figure = (value: number): string => formatFigure(value, 'tenths').replace(/\.0$/, '');
