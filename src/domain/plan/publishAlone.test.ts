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

  describe('with a search', () => {
    const search = alone.replace(
      'publishers: 500, rate: 20/s, hold: 60s',
      'rate: 20/s, search: { from: 10, max: 400 }',
    );

    it('are a load of up to its most, and written as they are read', () => {
      const { plan } = parsePlan(search);
      expect(publisherGroups(plan)).toMatchObject([
        { by: 'load', publishers: 400, search: { fromViewers: 10, repeats: 3 } },
      ]);
      expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
      expect(sizeOf(plan)).toMatchObject({ publishers: 400, isSearch: true });
    });

    it.each([
      ['max: 400', 'max: 5', 'The search starts at 10 publishers and ends at 5, so there is nothing to search.'],
      ['max: 400', 'max: 2400', '2,400 publishers are too many for one tester; the maximum is 2,000.'],
      ['rate: 20/s', 'hold: 5s', 'A search sets the number of publishers and the duration itself. Remove "hold".'],
      ['rate: 20/s', 'publishers: 5', 'the number of publishers and the duration itself. Remove "publishers".'],
      [
        ' }]',
        ' }, { stream: x, node: origin, source: sample-240p, by: load, publishers: 5, hold: 5s }]',
        'is the only load',
      ],
      [
        ' }]',
        ' }]\npull: { stream: x, from: origin, by: [load], viewers: 5, rate: 5/s, hold: 5s }',
        'Move "search" to "pull"',
      ],
    ])('refuse %s as %s', (part, instead, sentence) => {
      expect(faultOf(search.replace(part, instead))).toContain(sentence);
    });
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
