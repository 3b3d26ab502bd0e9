import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seriesDefinitions } from '../series';
import { defaultExpectations } from './plan';
import { parsePlan, planToYaml } from './planYaml';
import { faultOf, head, plain } from './testPlans';

describe('several audiences', () => {
  const two = `${head}pull:
  - { stream: cam, from: origin, by: [tester-1], viewers: 10, rate: 5/s, hold: 10s }
  - stream: cam
    from: origin
    by: [{ tester: tester-1, weight: 1.5 }, tester-2]
    stages: [{ ramp: 5, over: 1s }]
`;

  it('are a list', () => {
    const { plan, warnings } = parsePlan(two);
    expect(warnings).toEqual([]);
    expect(plan.pull.viewers).toBe(10);
    expect(plan.also).toHaveLength(1);
    expect(plan.also?.[0]).toMatchObject({ viewers: 5, weights: { 'tester-1': 1.5 } });
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
  });

  it.each([
    [
      'an unknown node in weights',
      'tester: tester-1,',
      'tester: tester-3,',
      11,
      'pull.1.by.0.tester',
      'no node "tester-3"',
    ],
    ['a weight of nothing', 'weight: 1.5', 'weight: 0', 11, 'pull.1.by.0.weight', '0 is nothing'],
    ['a weight that is none', 'weight: 1.5', 'weight: half', 11, 'pull.1.by.0.weight', 'must be a number'],
    ['an unknown origin', 'from: origin\n', 'from: origins\n', 10, 'pull.1.from', 'Did you mean "origin"?'],
    ['a tester twice', ', tester-2]', ', tester-1]', 11, 'pull.1.by.1', 'named twice'],
  ])('are refused: %s', (_, from, to, line, path, sentence) => {
    const fault = faultOf(two.replace(from, to));
    expect(fault).toMatchObject({ line, path });
    expect(fault.sentence).toContain(sentence);
  });

  it('are refused where there is none, or two that search', () => {
    expect(faultOf(`${head}pull: []\n`).sentence).toContain('There is no audience.');
    const search = '{ stream: cam, from: origin, by: [tester-1], rate: 5/s, search: { from: 1, most: 9 } }';
    expect(faultOf(`${head}pull: [${search}, ${search}]\n`)).toMatchObject({ path: 'pull.1.search' });
  });
});

describe('expectations of any series', () => {
  const expecting = (expected: string): string => `${plain}expect: { ${expected} }\n`;

  it('are read in their unit, and written as they are read', () => {
    const text = expecting(
      'rttP95Ms: "<= 0.2s", frameRate: [">= 24 fps", { is: ">= 20fps", node: tester-1, tolerance: 5%, grace: 10s }], ' +
        'memoryUsedBytes: { is: "<= 4GB", node: origin }, "server:ports_media_free": ">= 100", arrivalRateAchieved: ">= 10/min"',
    );
    const { plan } = parsePlan(text);
    expect(plan.expect).toEqual(defaultExpectations);
    expect(plan.thresholds).toEqual([
      { series: 'rttP95Ms', comparison: '<=', value: 200 },
      { series: 'frameRate', comparison: '>=', value: 24 },
      {
        series: 'frameRate',
        node: 'tester-1',
        comparison: '>=',
        value: 20,
        tolerancePercent: 5,
        graceMs: 10_000,
      },
      { series: 'memoryUsedBytes', node: 'origin', comparison: '<=', value: 4e9 },
      { series: 'server:ports_media_free', comparison: '>=', value: 100 },
      { series: 'arrivalRateAchieved', comparison: '>=', value: 1 / 6 },
    ]);
    expect(planToYaml(plan)).toContain('  rttP95Ms: "<= 200ms"\n  frameRate: [">= 24fps", { is: ">= 20fps",');
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
  });

  it.each([
    ['a misspelt series', 'rttP95ms: "<= 200ms"', 'rttP95ms', 'Did you mean "rttP95Ms"?'],
    ['an unknown one', 'happiness: ">= 5"', 'happiness', 'any series of docs/plans.md, e.g. rttP95Ms.'],
    ['another unit', 'rttP95Ms: "<= 5%"', 'rttP95Ms', '"5%" is in the wrong unit: RTT p95 is in ms.'],
    [
      'no unit',
      'rttP95Ms: "<= 200"',
      'rttP95Ms',
      '200 has no unit: RTT p95 is in ms. Write it like "<= 200ms"',
    ],
    ['a unit of a plain number', 'tcpSockets: "<= 200ms"', 'tcpSockets', 'TCP sockets is a plain number.'],
    ['no comparison', 'rttP95Ms: "200ms"', 'rttP95Ms', 'must begin with "<=" or ">="'],
    ['below nothing', 'rttP95Ms: "<= -2ms"', 'rttP95Ms', '-2ms is negative.'],
    ['more than everything', 'cpuPercent: "<= 200%"', 'cpuPercent', 'more than everything'],
    ['nonsense', 'rttP95Ms: "<= soon"', 'rttP95Ms', '"soon" is not understood.'],
    [
      'an unknown node',
      'rttP95Ms: { is: "<= 2ms", node: tester }',
      'rttP95Ms.node',
      'There is no node "tester" in this plan. Did you mean "tester-1"?',
    ],
    [
      'one in a list',
      'rttP95Ms: ["<= 2ms", { is: "<= 2ms", node: x }]',
      'rttP95Ms.1.node',
      'There is no node "x"',
    ],
    [
      'a tolerance beyond all',
      'rttP95Ms: { is: "<= 2ms", tolerance: 101% }',
      'rttP95Ms.tolerance',
      'more than 100 %',
    ],
    ['nothing to be', 'rttP95Ms: { grace: 2s }', 'rttP95Ms.is', '"is" is missing.'],
  ])('are refused: %s', (_, expected, path, sentence) => {
    const fault = faultOf(expecting(expected));
    expect(fault).toMatchObject({ line: 8, path: `expect.${path}` });
    expect(fault.sentence).toContain(sentence);
  });

  it('are told when nobody measures them there', () => {
    expect(parsePlan(expecting('rttP95Ms: { is: "<= 2ms", node: origin }')).warnings).toEqual([
      'rttP95Ms is measured by a tester, and "origin" is none, so it will be missing there.',
    ]);
  });
});

it('every series that can be expected is named in the docs', () => {
  const docs = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'plans.md'), 'utf8');
  expect(Object.keys(seriesDefinitions).filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
});

describe('stop, schedule and hooks', () => {
  it('are read and written alike', () => {
    const text = `${plain}stop: ["degraded > 20% for 30s", "rttP95Ms of tester-1 > 500ms for 10s", "frameRate < 5fps for 0s"]
schedule: { at: 2026-11-22T03:00:00Z, repeat: 3, every: 1h }
hooks: [{ at: end, run: [notify, "--done", "", 5] }, { at: start, post: "http://192.0.2.1/hook" }]
`;
    const { plan } = parsePlan(text);
    expect(plan).toMatchObject({
      stopWhen: [
        { what: 'degraded', comparison: '>', value: 20, forMs: 30_000 },
        { what: 'rttP95Ms', node: 'tester-1', comparison: '>', value: 500, forMs: 10_000 },
        { what: 'frameRate', comparison: '<', value: 5, forMs: 0 },
      ],
      schedule: { atMs: Date.UTC(2026, 10, 22, 3), repeat: 3, everyMs: 3_600_000 },
      hooks: [
        { at: 'end', run: ['notify', '--done', '', '5'] },
        { at: 'start', post: 'http://192.0.2.1/hook' },
      ],
    });
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
    expect(planToYaml(plan)).toContain(text.split('\n').find((line) => line.startsWith('schedule')));
  });

  it.each([
    ['stop: ["degraded > 20%"]', 'stop.0', 'is not understood. Write it like "degraded > 20% for 30s"'],
    ['stop: ["degraded >= 20% for 5s"]', 'stop.0', 'compares by ">="'],
    ['stop: ["degraded > 20 for 5s"]', 'stop.0', '20 has no unit: degraded is in %.'],
    ['stop: ["degraded > 20ms for 5s"]', 'stop.0', '"20ms" is in the wrong unit: degraded is in %.'],
    ['stop: ["degraded < 20% for 5s"]', 'stop.0', 'would end at once'],
    ['stop: ["degraded of origin > 20% for 5s"]', 'stop.0', 'Leave "of origin" out.'],
    ['stop: ["degradet > 20% for 5s"]', 'stop.0', 'Did you mean "degraded"?'],
    ['stop: ["rttP95Ms > 20% for 5s"]', 'stop.0', 'RTT p95 is in ms'],
    ['stop: ["rttP95Ms of nobody > 20ms for 5s"]', 'stop.0', 'There is no node "nobody" in this plan.'],
    ['stop: ["cpu > 20% for ever"]', 'stop.0', '"ever" is no duration'],
    ['stop: "cpu > 20% for 5s"', 'stop', 'This must be a list.'],
    ['schedule: { at: 2026-11-22T03:00:00 }', 'schedule.at', 'has no time zone'],
    ['schedule: { at: 2026-02-30T03:00:00Z }', 'schedule.at', 'There is no such moment'],
    ['schedule: { at: tomorrow }', 'schedule.at', '"tomorrow" is no moment'],
    ['schedule: { repeat: 0 }', 'schedule.repeat', '0 is nothing'],
    ['schedule: { repeat: 1001 }', 'schedule.repeat', 'too many'],
    ['schedule: { every: 0s }', 'schedule.every', 'at the same time'],
    ['schedule: {}', 'schedule', 'Nothing is said of when.'],
    ['hooks: [{ at: noon, run: [a] }]', 'hooks.0.at', 'Possible: start, full, end.'],
    ['hooks: [{ at: end }]', 'hooks.0', 'either runs a program or posts'],
    ['hooks: [{ at: end, run: [a], post: "http://a" }]', 'hooks.0', 'either runs a program or posts'],
    ['hooks: [{ at: end, run: "rm -rf x" }]', 'hooks.0.run', 'This must be a list.'],
    ['hooks: [{ at: end, run: [] }]', 'hooks.0.run', 'There is no program.'],
    ['hooks: [{ at: end, post: notify }]', 'hooks.0.post', '"notify" is no address.'],
    ['hooks: [{ at: end, post: "https://me:secret@a.example/" }]', 'hooks.0.post', 'A secret has no place'],
  ])('are refused: %s', (line, path, sentence) => {
    const fault = faultOf(`${plain}${line}\n`);
    expect(fault).toMatchObject({ line: 8, path });
    expect(fault.sentence).toContain(sentence);
  });

  it('warn of a beginning in the past, and of a repetition without a number', () => {
    const text = `${plain}schedule: { at: 2026-11-22T03:00:00Z, every: 1h }\n`;
    expect(parsePlan(text, Date.UTC(2026, 10, 22, 2)).warnings).toEqual([
      'The schedule says how often, and not how many times: there is one run. Add "repeat".',
    ]);
    expect(parsePlan(text, Date.UTC(2026, 10, 22, 4)).warnings[0]).toBe(
      "The schedule's beginning, 2026-11-22T03:00:00.000Z, is in the past: it begins at once.",
    );
  });
});
