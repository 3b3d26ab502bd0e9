import { expect, it } from 'vitest';
import type { FailureGroup } from '../model/run';
import { parsePlan } from '../plan/planYaml';
import { audienceFigures, audienceSentence } from './audienceFigures';

const { plan } = parsePlan(`name: x
nodes: { lab: { server: lab }, a: { tester: local } }
publish: []
pull:
  - { from: lab, by: [a], viewers: 5, rate: 1/s, hold: 1s, stream: cam, protocol: whep }
  - { from: lab, by: [a], viewers: 7, rate: 1/s, hold: 1s, stream: cam, protocol: hls }
  - { from: lab, by: [a], viewers: 9, rate: 1/s, hold: 1s, stream: cam, protocol: rtmp }
`);

it('lists the highest figures of each audience, with the viewers that its plan wants', () => {
  const samples: Readonly<Record<string, number>> = {
    'audience:1 viewersRequested': 5,
    'audience:1 viewersConnected': 5,
    'audience:1 firstFrameP95Ms': 812.4,
    // It ended during its ramp-up.
    'audience:2 viewersRequested': 4,
    'audience:2 viewersConnected': 6,
    'audience:2 viewersFailed': 1,
    'audience:2 viewersDegraded': 2,
  };
  const sentences = (failures: readonly FailureGroup[]): readonly string[] =>
    audienceFigures({ plan, failures }, (node, series) => samples[`${node} ${series}`]).map(audienceSentence);
  expect(sentences([])).toEqual([
    'WHEP cam: 5 of 5 viewers connected, none failed, none degraded; first frame p95 max 812 ms.',
    'HLS cam: 6 of 7 viewers connected, 1 failed, max 2 degraded.',
    'RTMP cam: 0 of 9 viewers connected, none failed, none degraded.',
  ]);
  // Some failed as the run ended, after the last sample.
  const failure = (audience: string | undefined, stage: FailureGroup['stage'], count: number): FailureGroup => ({
    ...(audience === undefined ? {} : { audience }),
    ...{ tester: 'a', stage, cause: 'closed', count },
    example: { viewer: 1, timeMs: 0, detail: 'x' },
  });
  expect(
    sentences([failure('HLS cam', 'media', 2), failure('HLS cam', 'tcp', 1), failure('RTMP cam', 'tcp', 9)]),
  ).toMatchObject([
    expect.stringContaining('none failed'),
    expect.stringContaining('6 of 7 viewers connected, 3 failed'),
    expect.stringContaining('0 of 9 viewers connected, 9 failed'),
  ]);
  expect(sentences([failure(undefined, 'media', 2)])[1]).toContain('1 failed');
});
