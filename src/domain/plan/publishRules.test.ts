import { describe, expect, it } from 'vitest';
import { parsePlan, planToYaml } from './planYaml';
import { publishedStreams } from './publishRules';

const text = (published: string): string => `name: p
nodes: { origin: { server: livekit, url: "http://h" }, audience: { tester: local } }
publish: [{ stream: cam, node: origin, by: audience, ${published} }]
pull: { stream: cam, from: origin, by: [audience], protocol: livekit, viewers: 1, rate: 1/s, hold: 1s }
`;

describe('publishers of one room', () => {
  it('are written as they were read', () => {
    const { plan } = parsePlan(text('source: sample-240p, publishers: 3, oneRoom: true, protocol: livekit'));
    expect(plan.publish[0]?.oneRoom).toBe(true);
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
    expect(publishedStreams({ stream: 'stage', publishers: 3, oneRoom: true })).toEqual(['stage', 'stage', 'stage']);
    expect(publishedStreams({ stream: 'cam', publishers: 2 })).toEqual(['cam-1', 'cam-2']);
  });

  it('are several, of a LiveKit', () => {
    expect(() => parsePlan(text('source: sample-240p, oneRoom: true'))).toThrow('Write "publishers"');
    const atLab = text('source: sample-240p, publishers: 2, oneRoom: true').replace(
      '{ server: livekit, url: "http://h" }',
      '{ server: lab }',
    );
    expect(() => parsePlan(atLab.replace('protocol: livekit, viewers', 'protocol: whep, viewers'))).toThrow(
      'Only LiveKit has rooms with several publishers, "origin" does not.',
    );
  });
});

describe('simulcast of a plan', () => {
  it('is written as it was read', () => {
    const { plan } = parsePlan(text('source: large.mp4, simulcast: [small.mp4, medium.mp4], protocol: livekit'));
    expect(plan.publish[0]?.simulcast).toEqual(['small.mp4', 'medium.mp4']);
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
  });

  it.each([
    ['source: large.mp4, simulcast: []', 'Write the paths of the smaller files'],
    ['source: large.mp4, simulcast: [small]', '"small" is not the path of a video file, such as small.mp4.'],
    ['source: large.mp4, simulcast: [1.mp4, 2.mp4, 3.mp4]', 'a plan allows at most 2.'],
    ['source: large.mp4, simulcast: [small.mp4], protocol: rtmp', 'over whip and livekit only, not over rtmp'],
    ['source: external, simulcast: [small.mp4]', 'Simulcast needs a video file or the sample as its source.'],
  ])('%s is refused', (published, sentence) => {
    expect(() => parsePlan(text(published))).toThrow(sentence);
  });
});
