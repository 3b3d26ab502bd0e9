import { describe, expect, it } from 'vitest';
import { defaultExpectations } from '../model/plan';
import { parsePlan, planToYaml } from './planYaml';
import { faultOf, head, plain } from '../../../tests/support/plans';

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
    expect(plan.pull?.viewers).toBe(10);
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
    ['a weight of 0', 'weight: 1.5', 'weight: 0', 11, 'pull.1.by.0.weight', '0 is too small'],
    ['a weight that is not a number', 'weight: 1.5', 'weight: half', 11, 'pull.1.by.0.weight', 'must be a number'],
    ['an unknown origin', 'from: origin\n', 'from: origins\n', 10, 'pull.1.from', 'Did you mean "origin"?'],
    ['a tester twice', ', tester-2]', ', tester-1]', 11, 'pull.1.by.1', 'named twice'],
  ])('are refused: %s', (_, from, to, line, path, sentence) => {
    const fault = faultOf(two.replace(from, to));
    expect(fault).toMatchObject({ line, path });
    expect(fault.sentence).toContain(sentence);
  });

  it('are refused if empty, or if two of them search', () => {
    expect(faultOf(`${head}pull: []\n`).sentence).toContain('The plan has no audience.');
    const search = '{ stream: cam, from: origin, by: [tester-1], rate: 5/s, search: { from: 1, max: 9 } }';
    expect(faultOf(`${head}pull: [${search}, ${search}]\n`)).toMatchObject({ path: 'pull.1.search' });
  });
});

describe('expectations of any series', () => {
  const expecting = (expected: string): string => `${plain}expect: { ${expected} }\n`;

  it('are read in their unit, and survive a round trip', () => {
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
    ['an unknown series', 'happiness: ">= 5"', 'happiness', 'any series of docs/series.md, e.g. rttP95Ms.'],
    ['the wrong unit', 'rttP95Ms: "<= 5%"', 'rttP95Ms', '"5%" is in the wrong unit: RTT p95 is in ms.'],
    ['no unit', 'rttP95Ms: "<= 200"', 'rttP95Ms', '200 has no unit: RTT p95 is in ms. Write it like "<= 200ms"'],
    ['a unit of a plain number', 'tcpSockets: "<= 200ms"', 'tcpSockets', 'TCP sockets is a plain number.'],
    ['no comparison', 'rttP95Ms: "200ms"', 'rttP95Ms', 'must start with "<=" or ">="'],
    ['a negative value', 'rttP95Ms: "<= -2ms"', 'rttP95Ms', '-2ms is negative.'],
    ['more than 100 %', 'cpuPercent: "<= 200%"', 'cpuPercent', 'more than 100 %'],
    ['nonsense', 'rttP95Ms: "<= soon"', 'rttP95Ms', '"soon" is not valid.'],
    [
      'an unknown node',
      'rttP95Ms: { is: "<= 2ms", node: tester }',
      'rttP95Ms.node',
      'This plan has no node "tester". Did you mean "tester-1"?',
    ],
    [
      'one in a list',
      'rttP95Ms: ["<= 2ms", { is: "<= 2ms", node: x }]',
      'rttP95Ms.1.node',
      'This plan has no node "x"',
    ],
    ['a tolerance above 100 %', 'rttP95Ms: { is: "<= 2ms", tolerance: 101% }', 'rttP95Ms.tolerance', 'more than 100 %'],
    ['a missing condition', 'rttP95Ms: { grace: 2s }', 'rttP95Ms.is', '"is" is missing.'],
  ])('are refused: %s', (_, expected, path, sentence) => {
    const fault = faultOf(expecting(expected));
    expect(fault).toMatchObject({ line: 8, path: `expect.${path}` });
    expect(fault.sentence).toContain(sentence);
  });

  it('warn if they are not measured on that node', () => {
    expect(parsePlan(expecting('rttP95Ms: { is: "<= 2ms", node: origin }')).warnings).toEqual([
      'rttP95Ms is measured by a tester; "origin" is not one, so it will be missing there.',
    ]);
  });
});

describe('stop, schedule and hooks', () => {
  it('survive a round trip', () => {
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
    ['stop: ["degraded > 20%"]', 'stop.0', 'is not valid. Write it like "degraded > 20% for 30s"'],
    ['stop: ["degraded >= 20% for 5s"]', 'stop.0', 'uses ">="'],
    ['stop: ["degraded > 20 for 5s"]', 'stop.0', '20 has no unit: degraded is in %.'],
    ['stop: ["degraded > 20ms for 5s"]', 'stop.0', '"20ms" is in the wrong unit: degraded is in %.'],
    ['stop: ["degraded < 20% for 5s"]', 'stop.0', 'would end immediately'],
    ['stop: ["degraded of origin > 20% for 5s"]', 'stop.0', 'Remove "of origin".'],
    ['stop: ["degradet > 20% for 5s"]', 'stop.0', 'Did you mean "degraded"?'],
    ['stop: ["rttP95Ms > 20% for 5s"]', 'stop.0', 'RTT p95 is in ms'],
    ['stop: ["rttP95Ms of nobody > 20ms for 5s"]', 'stop.0', 'This plan has no node "nobody".'],
    ['stop: ["cpu > 20% for ever"]', 'stop.0', '"ever" is not a duration'],
    ['stop: "cpu > 20% for 5s"', 'stop', 'This must be a list.'],
    ['schedule: { at: 2026-11-22T03:00:00 }', 'schedule.at', 'has no time zone'],
    ['schedule: { at: 2026-02-30T03:00:00Z }', 'schedule.at', 'is not a valid date and time'],
    ['schedule: { at: tomorrow }', 'schedule.at', '"tomorrow" is not a time'],
    ['schedule: { repeat: 0 }', 'schedule.repeat', '0 is too small'],
    ['schedule: { repeat: 1001 }', 'schedule.repeat', 'too many'],
    ['schedule: { every: 0s }', 'schedule.every', 'at the same time'],
    ['schedule: {}', 'schedule', 'The schedule is empty.'],
    ['hooks: [{ at: noon, run: [a] }]', 'hooks.0.at', 'Possible: start, full, end.'],
    ['hooks: [{ at: end }]', 'hooks.0', 'either runs a program or posts'],
    ['hooks: [{ at: end, run: [a], post: "http://a" }]', 'hooks.0', 'either runs a program or posts'],
    ['hooks: [{ at: end, run: "rm -rf x" }]', 'hooks.0.run', 'This must be a list.'],
    ['hooks: [{ at: end, run: [] }]', 'hooks.0.run', 'The program is missing.'],
    ['hooks: [{ at: end, post: notify }]', 'hooks.0.post', '"notify" is not an address.'],
    ['hooks: [{ at: start, post: "http://:80/x" }]', 'hooks.0.post', '"http://:80/x" names no host.'],
    ['hooks: [{ at: start, post: "http://a:99999/x" }]', 'hooks.0.post', 'must be 1 to 65535'],
    ['hooks: [{ at: start, post: "http://1.2.3.4.5/x" }]', 'hooks.0.post', "can't exist"],
    ['hooks: [{ at: start, post: "http://[::1/x" }]', 'hooks.0.post', "can't exist"],
    ['hooks: [{ at: end, post: "https://me:secret@a.example/" }]', 'hooks.0.post', 'Secrets must not be written'],
  ])('are refused: %s', (line, path, sentence) => {
    const fault = faultOf(`${plain}${line}\n`);
    expect(fault).toMatchObject({ line: 8, path });
    expect(fault.sentence).toContain(sentence);
  });

  it('warn of a start in the past, and of an interval without a count', () => {
    const text = `${plain}schedule: { at: 2026-11-22T03:00:00Z, every: 1h }\n`;
    expect(parsePlan(text, Date.UTC(2026, 10, 22, 2)).warnings).toEqual([
      'The schedule has an interval but no "repeat", so the plan runs once. Add "repeat".',
    ]);
    expect(parsePlan(text, Date.UTC(2026, 10, 22, 4)).warnings[0]).toBe(
      "The schedule's start, 2026-11-22T03:00:00.000Z, is in the past: it starts immediately.",
    );
  });
});
