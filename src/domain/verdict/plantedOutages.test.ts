import { expect, it } from 'vitest';
import type { PublisherOutage } from '../model/publisherOutage';
import type { RunView, VerdictName } from '../model/run';
import type { SeriesId } from '../series/series';
import type { Values } from '../series/windows';
import { seeded } from '../../../tests/support/searchSimulation';
import { startMs, viewOf } from '../../../tests/support/verdictRun';
import { judgeRun } from './verdict';
import { audienceIn } from '../../../tests/support/pullPlan';

const blames = ['server', 'machine', 'tester', 'publisher'] as const;
type Blame = (typeof blames)[number];

/** An outage of a planted run, in seconds. */
interface Planted {
  readonly from: number;
  readonly to: number;
  readonly lowest: number;
  readonly blame: Blame;
}

const limitSeconds = 5;
const at = (second: number): number => startMs + 1000 * second;

/** Outages far enough from each other that the cause of one has no effect on the next. */
function plant(seed: number): { readonly outages: readonly Planted[]; readonly endSecond: number } {
  const draw = seeded(seed);
  const between = (least: number, most: number): number => least + Math.floor(draw() * (most - least + 1));
  const outages: Planted[] = [];
  let second = 40;
  for (let i = between(0, 6); i > 0; i -= 1) {
    const from = second + between(0, 20);
    const blame = blames[between(0, 3)] ?? 'server';
    const to = from + between(1, draw() < 0.4 ? 4 : 15);
    outages.push({ from, to, lowest: between(0, 980), blame });
    second = to + 60;
  }
  return { outages, endSecond: second + 10 };
}

function judgePlanted(seed: number) {
  const { outages, endSecond } = plant(seed);
  const isIn = (second: number, blame: Blame, before: number, after: number): boolean =>
    outages.some((outage) => outage.blame === blame && second >= outage.from - before && second <= outage.from + after);
  const curves: Readonly<Record<string, (second: number) => number>> = {
    'tester viewersConnected': (second) =>
      outages.find(({ from, to }) => second >= from && second < to)?.lowest ?? Math.min(1000, 100 * second),
    'tester viewersRequested': () => 1000,
    'tester viewersFailed': () => 0,
    'tester testerReaderWaitPercent': (second) => (isIn(second, 'tester', 8, 1) ? 60 : 1),
    'origin cpuPercent': (second) => (isIn(second, 'machine', 3, 3) ? 97 : 20),
    'origin otherCpuPercent': (second) => (isIn(second, 'machine', 3, 3) ? 75 : 1),
  };
  const values = (node: string, series: SeriesId): Values => {
    const curve = curves[`${node} ${series}`];
    const seconds = curve ? Array.from({ length: endSecond + 1 }, (_, second) => second) : [];
    return { timeMs: seconds.map(at), value: seconds.map((second) => curve?.(second) ?? 0) };
  };
  const publisherOutages = outages
    .filter(({ blame }) => blame === 'publisher')
    .map(({ from, to }): PublisherOutage => ({
      ...{ node: 'origin', by: 'tester', stream: 'cam', reason: 'It was removed.' },
      ...{ fromMs: at(from - 9), toMs: at(to - 2) },
    }));
  const base = viewOf(
    {},
    { connected: { comparison: '>=', value: 99 }, outages: { comparison: '<=', value: limitSeconds } },
  );
  const view: RunView = {
    ...base,
    plan: { ...base.plan, pull: { ...audienceIn(base.plan), reconnect: true } },
    phases: [
      { name: 'ramp', startMs, endMs: at(10) },
      { name: 'hold', startMs: at(10), endMs: at(endSecond) },
    ],
    publisherOutages,
  };
  return { outages, verdict: judgeRun({ view, values }).verdict };
}

it('200 planted runs have the right verdict, first reason, counts and causes', () => {
  const seen = new Map<string, number>();
  for (let seed = 0; seed < 200; seed += 1) {
    const { outages, verdict } = judgePlanted(seed);
    const long = outages.filter(({ from, to }) => to - from > limitSeconds);
    const isServers = long.some(({ blame }) => blame === 'server');
    const expected: VerdictName = isServers ? 'fail' : long.length > 0 ? 'inconclusive' : 'pass';
    const [first] = verdict.reasons;
    const text = `seed ${seed}: ${JSON.stringify(outages)} ${JSON.stringify(verdict.reasons)}`;
    expect(verdict.verdict, text).toBe(expected);
    if (isServers) expect(first, text).toMatchObject({ expectation: 'outages', causedBy: 'origin' });
    else if (first)
      expect(
        long.map(({ blame }) => blame),
        text,
      ).toContain(first.causedBy);
    expect(verdict.outages, text).toMatchObject({
      count: outages.length,
      sumMs: outages.reduce((sum, { from, to }) => sum + 1000 * (to - from), 0),
      longestMs: 1000 * Math.max(0, ...outages.map(({ from, to }) => to - from)),
    });
    expect(
      verdict.outages?.list.map(({ fromMs, lowest, causedBy = 'server' }) => [fromMs, lowest, causedBy]),
      text,
    ).toEqual(outages.map(({ from, lowest, blame }) => [at(from), lowest, blame]));
    seen.set(expected, (seen.get(expected) ?? 0) + 1);
  }
  for (const name of ['pass', 'fail', 'inconclusive']) expect(seen.get(name), name).toBeGreaterThan(20);
});
