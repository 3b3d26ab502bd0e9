import { describe, expect, it } from 'vitest';
import { sizeOf } from '../duration/planLength';
import { originNames, loadTesters, publisherGroups, publishesOnly } from '../model/publisherGroup';
import { roleOfName } from '../node/observedNodes';
import { applySet, parsePlan, planToYaml } from './planYaml';

const alone = `name: Ingest
nodes:
  origin: { server: lab }
  load: { tester: local }
publish: [{ stream: 'cam-{n}', node: origin, source: sample-240p, by: load, publishers: 500, rate: 20/s, hold: 60s }]
`;

const faultOf = (text: string): string => {
  try {
    parsePlan(text);
  } catch (error) {
    return (error as Error).message;
  }
  return 'no fault';
};
const without = (part: string): string => faultOf(alone.replace(part, ''));

describe('publishers alone', () => {
  it('are the load of a plan without an audience', () => {
    const { plan, warnings } = parsePlan(alone);
    expect(plan.pull).toBeUndefined();
    expect(publisherGroups(plan)).toMatchObject([{ by: 'load', publishers: 500, ratePerSecond: 20, holdMs: 60_000 }]);
    expect([publishesOnly(plan), originNames(plan), loadTesters(plan)]).toEqual([true, ['origin'], ['load']]);
    expect(['origin', 'load'].map((name) => roleOfName(plan, name))).toEqual(['origin', 'tester']);
    expect(warnings).toEqual([]);
    expect(sizeOf(plan)).toEqual({ viewers: 0, publishers: 500, lengthMs: 85_000 });
  });

  it('are written as they are read', () => {
    const { plan } = parsePlan(alone);
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
    expect(planToYaml(plan)).not.toContain('pull');
    const unending = applySet(alone, ['publish.0.hold=until-stopped']).plan;
    expect(unending.publish[0]?.holdMs).toBe(0);
    expect(sizeOf(unending).lengthMs).toBeUndefined();
  });

  it.each([
    [', publishers: 500', 'Write how many publish "cam-{n}", e.g. publishers: 100, or add "pull".'],
    [' by: load,', 'Without "pull" the tester that publishes "cam-{n}" has to be named. Add "by".'],
    [', hold: 60s', 'Write how long all publishers are held, e.g. hold: 60s, or until-stopped.'],
  ])('need all of their load: without%s', (part, sentence) => {
    expect(without(part)).toContain(sentence);
  });

  it('are a load only if a tester publishes', () => {
    expect(faultOf(alone.replace('source: sample-240p', 'source: external'))).toContain(
      'a tester has to publish "cam-{n}"',
    );
  });

  it('leave a plan without any load refused', () => {
    const neither = alone.replace(/, by: load.*\}\]/, ' }]');
    expect(faultOf(neither)).toContain(
      '"pull" is missing. Define the stream, the origin, the testers and the viewers; or',
    );
    expect(faultOf(alone.replace(/publish:.*\n/, ''))).toContain('"pull" is missing.');
  });

  it('have no hold of their own beside viewers', () => {
    const pull = 'pull: { stream: cam-1, from: origin, by: [load], viewers: 5, rate: 5/s, hold: 5s }\n';
    expect(faultOf(`${alone}${pull}`)).toContain('is published until the last viewer has disconnected. Remove "hold"');
    expect(faultOf(`${alone.replace(', hold: 60s', '')}${pull}`)).toBe('no fault');
    expect(publisherGroups(parsePlan(`${alone.replace(', hold: 60s', '')}${pull}`).plan)).toEqual([]);
  });

  it.each([
    ['expect: { degraded: "<= 1%" }', '"degraded" is a figure of viewers'],
    ['expect: { rttP95Ms: "<= 50 ms" }', '"rttP95Ms" is a figure of viewers'],
    ['expect: { originViewers: ">= 5" }', '"originViewers" is a figure of viewers'],
    ['stop: ["degraded > 20% for 30s"]', '"degraded" is a figure of viewers'],
    ['expect: { connected: ">= 100%", outages: "<= 2s", publishRttP95Ms: "<= 50 ms", cpu: "<= 70%" }', 'no fault'],
    ['stop: ["failed > 20% for 30s"]', 'no fault'],
  ])('are not judged as viewers: %s', (line, sentence) => {
    expect(faultOf(`${alone}${line}\n`)).toContain(sentence);
  });
});
