import { expect, it } from 'vitest';
import { Histogram } from '../../domain/distribution/histogram';
import type { Audience, Plan } from '../../domain/model/plan';
import { samplePlan } from '../../../tests/support/samplePlan';
import { AudienceDistributions } from './audienceDistributions';
import { takeDisplayed } from './displayed';
import { displayedSamples } from './recordDistributions';
import type { RunData } from './runData';
import type { RunOutput } from './runOutput';

const audience = (from: string, protocol: Audience['protocol']): Audience => ({
  ...{ stream: 'cam', from, by: ['audience'], protocol, viewers: 10, ratePerSecond: 10, holdMs: 1000 },
});

function recording(plan: Plan) {
  const distributions = new AudienceDistributions();
  const emitted: RunOutput[] = [];
  const data = {
    ...{ plan, distributions },
    output: { emit: (output: RunOutput) => emitted.push(output) },
    nodes: { get: (name: string) => ({ id: `id of ${name}` }) },
  } as unknown as RunData;
  return { data, distributions, emitted };
}

it('merges what browser viewers and the control player displayed in a second, under the origin', () => {
  const { data, distributions, emitted } = recording(samplePlan());
  const [browsers, player] = [{}, {}];
  const cam = { node: 'origin', stream: 'cam', protocol: 'whep' } as const;
  takeDisplayed(data, browsers, [{ ...cam, delaysMs: [100, 110] }, cam, { ...cam, delaysMs: [120] }], 10_100);
  // By the node's own id.
  takeDisplayed(data, player, [{ ...cam, node: 'id of origin', delaysMs: [900] }], 10_600);
  // What no audience watches: another stream, or over another protocol.
  takeDisplayed(data, player, [{ ...cam, stream: 'another', delaysMs: [5] }], 10_600);
  takeDisplayed(data, player, [{ ...cam, protocol: 'hls', delaysMs: [5] }], 10_600);
  const rows = distributions.due(10_700);
  const samples = displayedSamples(data.plan, rows);
  expect(samples.map(({ node, timeMs }) => [node, timeMs])).toEqual(samples.map(() => ['origin', 10_500]));
  // Percentiles of a histogram are as exact as its buckets.
  expect(Object.fromEntries(samples.map(({ series, value }) => [series, Math.round(value)]))).toEqual({
    ...{ glassToGlassP50Ms: 111, glassToGlassP95Ms: 900, glassToGlassP99Ms: 900, glassToGlassMaxMs: 900 },
  });
  expect(distributions.figures()).toMatchObject([{ distribution: 'glassToGlassMs', count: 4, min: 100, max: 900 }]);
  expect(emitted).toMatchObject([
    { kind: 'distributions', node: 'origin' },
    { kind: 'distributions', node: 'origin' },
  ]);
});

it('separates audiences, by protocol where they watch one stream', () => {
  const pulls = [audience('a', 'whep'), audience('a', 'hls'), audience('b', 'whep')] as const;
  const [pull, ...also] = pulls;
  const { data, distributions } = recording({ ...samplePlan(), pull, also });
  const displayed = pulls.map(({ from: node, protocol }, place) => ({
    ...{ node, stream: 'cam', protocol: protocol as 'whep' | 'hls', delaysMs: [100 * (place + 1)] },
  }));
  takeDisplayed(data, {}, displayed, 10_000);
  const rows = distributions.rest();
  expect(rows.map(({ audience: number, histogram }) => [number, histogram.high])).toEqual([
    [1, 100],
    [2, 200],
    [3, 300],
  ]);
  const highest = displayedSamples(data.plan, rows).filter(({ series }) => series === 'glassToGlassMaxMs');
  expect(highest.map(({ node, value }) => [node, value])).toEqual([
    ['a', 200],
    ['b', 300],
  ]);
});

it('takes only streams that publishers alone publish', () => {
  const { pull: _, ...plan } = samplePlan();
  const publish = [
    { stream: 'room-{n}', node: 'origin', source: 'pattern', by: 'audience', publishers: 2, holdMs: 1000 },
  ];
  const { data, distributions } = recording({ ...plan, publish });
  const shown = { node: 'origin', protocol: 'whep' } as const;
  for (const stream of ['room-1', 'room-2', 'room-3', 'cam'])
    takeDisplayed(data, {}, [{ ...shown, stream, delaysMs: [100] }], 10_000);
  expect(distributions.figures()).toMatchObject([{ distribution: 'glassToGlassMs', count: 2 }]);
});

it('takes other distributions as what they are', () => {
  const row = { timeMs: 1000, audience: 1, distribution: 'jitterMs', histogram: Histogram.of([1]) } as const;
  expect(displayedSamples(samplePlan(), [row])).toEqual([]);
});
