import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultExpectations, type Plan, type PlanPull, type PlanStage, type SeriesThreshold } from './plan';
import { applySet, parsePlan, PlanError, planToYaml } from './planYaml';
import { seriesDefinitions, type SeriesId } from './series';
import { withDerived } from './stages/derived';

const head = `name: Many things
nodes:
  origin: { server: lab }
  tester-1: { tester: local }
  tester-2: { tester: qa@192.0.2.12 }
publish: [{ stream: cam, node: origin, source: sample-240p }]
`;
const pull = 'stream: cam, from: origin, by: [tester-1, tester-2]';
const staged = (stages: string): string => `${head}pull: { ${pull}, stages: [${stages}] }\n`;
const plain = `${head}pull: { ${pull}, viewers: 10, rate: 5/s, hold: 10s }\n`;

function faultOf(text: string, sets: readonly string[] = []): PlanError {
  try {
    applySet(text, sets);
  } catch (error) {
    if (error instanceof PlanError) return error;
    throw error;
  }
  throw new Error('The plan was taken.');
}

describe('stages', () => {
  const all =
    '{ ramp: 500, over: 30s }, { hold: 2m }, { step: 2500, by: 500, hold: 60s, rate: 100/s }, { spike: 2800, for: 20s, rate: 200/s }, ' +
    '{ soak: 1h }, { churn: 10%, every: 6s, for: 5m, rate: 50/s }';

  it('are read as people write them, and say how many come, how fast and how long', () => {
    const { plan, warnings } = parsePlan(staged(all));
    expect(warnings).toEqual([]);
    expect(plan.pull).toEqual({
      stream: 'cam',
      from: 'origin',
      by: ['tester-1', 'tester-2'],
      protocol: 'whep',
      viewers: 2800,
      ratePerSecond: 200,
      holdMs: 30_000 + 120_000 + 4 * 65_000 + 21_500 + 3_600_000 + 300_000,
      stages: [
        { kind: 'ramp', viewers: 500, overMs: 30_000 },
        { kind: 'hold', forMs: 120_000 },
        { kind: 'step', viewers: 2500, by: 500, holdMs: 60_000, ratePerSecond: 100 },
        { kind: 'spike', viewers: 2800, forMs: 20_000, ratePerSecond: 200 },
        { kind: 'soak', forMs: 3_600_000 },
        { kind: 'churn', replacePercent: 10, everyMs: 6000, forMs: 300_000, ratePerSecond: 50 },
      ],
    });
  });

  it('are written one a line', () => {
    expect(planToYaml(parsePlan(staged(all)).plan)).toContain(
      [
        'pull:',
        '  stream: cam',
        '  from: origin',
        '  by: [tester-1, tester-2]',
        '  protocol: whep',
        '  stages:',
        '    - { ramp: 500, over: 30s }',
        '    - { hold: 2m }',
        '    - { step: 2500, by: 500, hold: 60s, rate: 100/s }',
        '    - { spike: 2800, for: 20s, rate: 200/s }',
        '    - { soak: 1h }',
        '    - { churn: 10%, every: 6s, for: 5m, rate: 50/s }',
        'expect:',
      ].join('\n'),
    );
  });

  it.each<[string, string, string, string]>([
    ['a hold before anybody came', '{ hold: 2m }', '0.hold', 'Nobody has come yet'],
    [
      'a soak of nobody',
      '{ ramp: 5, over: 1s }, { ramp: 0, over: 1s }, { soak: 1h }',
      '2.soak',
      'Nobody is there',
    ],
    ['a churn of nobody', '{ churn: 10%, every: 3s, for: 5m, rate: 50/s }', '0.churn', 'Nobody is there'],
    ['a ramp in no time', '{ ramp: 500, over: 0s }', '0.over', 'Nobody comes or goes in no time.'],
    [
      'a ramp that moves nobody',
      '{ ramp: 5, over: 1s }, { ramp: 5, over: 1s }',
      '1.ramp',
      '5 viewers are there already',
    ],
    ['a ramp to nobody', '{ ramp: 0, over: 1s }', '0.ramp', 'moves nobody'],
    [
      'a step that moves nobody',
      '{ ramp: 5, over: 1s }, { step: 5, by: 1, hold: 1s, rate: 1/s }',
      '1.step',
      'move nobody',
    ],
    ['a step by nothing', '{ step: 5, by: 0, hold: 1s, rate: 1/s }', '0.by', '0 is nothing.'],
    ['too many steps', '{ step: 5000, by: 1, hold: 1s, rate: 1/s }', '0.by', 'makes more than 1,000 steps'],
    [
      'a spike below the level',
      '{ ramp: 900, over: 1s }, { spike: 800, for: 20s, rate: 1/s }',
      '1.spike',
      'a spike goes above that',
    ],
    [
      'a churn faster than it can be',
      '{ ramp: 500, over: 1s }, { churn: 10%, every: 500ms, for: 5m, rate: 50/s }',
      '1.rate',
      '10 % of 500 are 50 viewers, who need 1.0 s at 50/s and are replaced every 500ms.',
    ],
    [
      'a churn of no beat',
      '{ ramp: 5, over: 1s }, { churn: 10%, every: 9s, for: 5s, rate: 5/s }',
      '1.every',
      'It lasts 5s',
    ],
    [
      'a churn of more than all',
      '{ ramp: 5, over: 1s }, { churn: 110%, every: 1s, for: 5s, rate: 5/s }',
      '1.churn',
      'more than 100 %',
    ],
    [
      'a churn without unit',
      '{ ramp: 5, over: 1s }, { churn: 10, every: 1s, for: 5s, rate: 5/s }',
      '1.churn',
      '10 has no unit',
    ],
    ['a misspelt stage', '{ rampp: 5, over: 1s }', '0.rampp', 'Did you mean "ramp"?'],
    ['a stage of no kind', '{ over: 1s }', '0', 'A stage is one of ramp, step, spike, soak, churn, hold'],
    ['two stages in one', '{ ramp: 5, over: 1s, soak: 1h }', '0', 'either a ramp or a soak'],
    ['a field of another stage', '{ ramp: 5, over: 1s, by: 2 }', '0.by', '"by" is not known here.'],
    [
      'a missing field',
      '{ ramp: 5 }',
      '0.over',
      '"over" is missing. Write it like { ramp: 500, over: 30s }.',
    ],
    ['a duration without unit', '{ ramp: 5, over: 30 }', '0.over', '30 has no unit.'],
    ['a duration beyond all', '{ ramp: 5, over: 99999h }', '0.over', 'longer than a year'],
    ['half a viewer', '{ ramp: 2.5, over: 1s }', '0.ramp', 'whole number'],
    ['no map', 'ramp', '0', 'list of "key: value" pairs'],
  ])('are refused: %s', (_, stages, path, sentence) => {
    const fault = faultOf(staged(stages));
    expect(fault).toMatchObject({ line: 7, path: `pull.stages.${path}` });
    expect(fault.sentence).toContain(sentence);
  });

  it('are refused where there are none, too many, or something beside them', () => {
    expect(faultOf(staged('')).message).toContain('pull.stages: There is no stage.');
    const ramps = Array.from({ length: 101 }, (_, i) => `{ ramp: ${i + 1}, over: 1s }`).join(', ');
    expect(faultOf(staged(ramps)).sentence).toContain('at most 100');
    const stages = '{ ramp: 5, over: 1s }';
    for (const field of ['viewers: 5', 'rate: 5/s', 'hold: 5s'])
      expect(faultOf(staged(stages).replace('stages:', `${field}, stages:`)).sentence).toContain(
        `The stages say it themselves. Leave "${field.split(':')[0]}" out.`,
      );
    expect(faultOf(staged(stages).replace('stages:', 'search: { from: 1, most: 2 }, stages:'))).toMatchObject(
      { path: 'pull.search' },
    );
  });

  it('can be set from outside', () => {
    const { plan } = applySet(staged('{ ramp: 500, over: 30s }'), ['pull.stages.0.ramp=50']);
    expect(plan.pull).toMatchObject({ viewers: 50, stages: [{ viewers: 50 }] });
    expect(faultOf(staged('{ ramp: 5, over: 1s }'), ['pull.viewers=7']).message).toBe(
      '--set pull.viewers: The stages say it themselves. Leave "viewers" out.',
    );
  });

  it('are told of what looks like a mistake', () => {
    expect(parsePlan(staged('{ step: 300, by: 500, hold: 1s, rate: 9/s }')).warnings).toEqual([
      'A step by 500 from 0 to 300 viewers is a single one and smaller than that.',
    ]);
  });
});

describe('a search', () => {
  const searching = (search: string): string => `${head}pull: { ${pull}, rate: 50/s, search: ${search} }\n`;

  it('is read with what is usual, and is bound in time', () => {
    const { pull: read } = parsePlan(searching('{ from: 20, most: 1000 }')).plan;
    expect(read).toMatchObject({
      viewers: 1000,
      ratePerSecond: 50,
      search: {
        fromViewers: 20,
        mostViewers: 1000,
        settleMs: 5000,
        measureMs: 10_000,
        repeats: 3,
        precisionPercent: 3,
      },
    });
    expect(read.holdMs).toBe(3 * 60 * 35_000);
  });

  it.each([
    ['{ from: 50, most: 20 }', 'pull.search.most', 'begins with 50 viewers and ends at 20'],
    ['{ from: 50, most: 50 }', 'pull.search.most', 'nothing to look for'],
    ['{ from: 0, most: 50 }', 'pull.search.from', '0 is nothing'],
    ['{ most: 50 }', 'pull.search.from', '"from" is missing.'],
    ['{ from: 1, most: 9, repeats: 99 }', 'pull.search.repeats', 'at most 20 times'],
    ['{ from: 1, most: 9, precision: 0% }', 'pull.search.precision', 'too little'],
    ['{ from: 1, most: 9, measure: 0s }', 'pull.search.measure', 'Nothing can be seen in no time.'],
    ['{ from: 1, most: 9, settel: 1s }', 'pull.search.settel', 'Did you mean "settle"?'],
  ])('is refused: %s', (search, path, sentence) => {
    const fault = faultOf(searching(search));
    expect(fault.path).toBe(path);
    expect(fault.sentence).toContain(sentence);
  });

  it('says itself how many and how long', () => {
    expect(faultOf(searching('{ from: 1, most: 9 }').replace('rate:', 'hold: 5s, rate:'))).toMatchObject({
      path: 'pull.hold',
    });
  });
});

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
  const docs = readFileSync(join(__dirname, '..', '..', 'docs', 'plans.md'), 'utf8');
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

describe('a text that was made to keep its reader busy', () => {
  it.each([
    [
      'a map within itself',
      `${head}pull: &p { stream: cam, from: *p, by: [tester-1] }\n`,
      '"*p" stands within "&p" itself',
    ],
    [
      'stages within themselves',
      staged('{ ramp: 5, over: 1s }').replace('stages: [', 'stages: &s [*s, '),
      'no end to it',
    ],
    [
      'a merge of itself',
      `${head}pull: &p { <<: *p, ${pull}, viewers: 1, rate: 1/s, hold: 1s }\n`,
      'no end to it',
    ],
    ['a list in a list', `${plain}stop: ${'['.repeat(200)}${']'.repeat(200)}\n`, 'nested too deeply'],
    ['far deeper', `${plain}stop: ${'['.repeat(100_000)}\n`, 'nested too deeply'],
    ['aliases of aliases', `${plain}stop: [&a x, ${'*a, '.repeat(600)}]\n`, 'more than 500 aliases'],
    ['far too much', `${plain}# ${'x'.repeat(600_000)}\n`, 'too long for a plan'],
  ])('is refused: %s', (_, text, sentence) => {
    expect(faultOf(text).sentence).toContain(sentence);
  });

  it('takes no jump host for a cycle', () => {
    const text = plain.replace('qa@192.0.2.12 }', 'qa@192.0.2.12, jump: tester-2 }');
    expect(parsePlan(text).warnings).toEqual([]);
  });
});

it('a text with anything in it is a plan or has a fault with its line, never another error', () => {
  const text = `${staged('{ ramp: 5, over: 1s }, { churn: 10%, every: 9s, for: 50s, rate: 5/s }')}expect: { rttP95Ms: [{ is: "<= 2ms", node: origin }] }
stop: ["degraded > 20% for 30s"]
schedule: { at: 2026-11-22T03:00:00Z, repeat: 3 }
hooks: [{ at: end, run: [notify, done] }]
`;
  let seed = 99;
  const random = (below: number): number => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const pieces = [
    '*a',
    '&a ',
    '<<: *a, ',
    '[',
    '}',
    ': ',
    '-1',
    '1e999',
    'null',
    '"',
    '\n',
    '\t',
    '!!x ',
    '? ',
    '0',
    '\u0000',
    '9999999999',
  ];
  let faults = 0;
  for (let i = 0; i < 400; i += 1) {
    let broken = text;
    for (let times = 1 + random(3); times > 0; times -= 1) {
      const at = random(broken.length);
      broken = broken.slice(0, at) + (pieces[random(pieces.length)] ?? '') + broken.slice(at + random(6));
    }
    try {
      const { plan } = parsePlan(broken);
      expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
    } catch (error) {
      if (!(error instanceof PlanError)) throw new Error(`${String(error)} in ${broken}`);
      expect(error.line).toBeGreaterThan(0);
      faults += 1;
    }
  }
  expect(faults).toBeGreaterThan(200);
}, 30_000);

describe('a plan that was written', () => {
  let seed = 4711;
  const random = (below: number): number => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const maybe = <T extends object>(make: () => T): T | object => (random(2) === 0 ? make() : {});
  const some = <T>(most: number, make: (place: number) => T): T[] =>
    Array.from({ length: 1 + random(most) }, (_, place) => make(place));
  const durationMs = (): number => pick([1, 999, 1000, 90_000, 5_400_000, 1 + random(1e8)]);
  const ratePerSecond = (): number => pick([200, 0.5, 1 / 6, 12.5, 7 / 60, 1 + random(500)]);
  const testers = ['t1', '7up', 'null', 'x.y', 'e-1'];

  /** Stages that are possible, each after the ones before it. */
  function stages(): PlanStage[] {
    let level = 1 + random(500);
    const made: PlanStage[] = [{ kind: 'ramp', viewers: level, overMs: durationMs() }];
    for (let i = random(6); i > 0; i -= 1) {
      const kind = pick(['ramp', 'hold', 'step', 'spike', 'soak', 'churn'] as const);
      const next = level + 1 + random(400);
      if (kind === 'ramp') made.push({ kind, viewers: next, overMs: durationMs() });
      if (kind === 'hold' || kind === 'soak') made.push({ kind, forMs: durationMs() });
      if (kind === 'step')
        made.push({
          kind,
          viewers: next,
          by: 1 + random(500),
          holdMs: durationMs(),
          ratePerSecond: ratePerSecond(),
        });
      if (kind === 'spike')
        made.push({ kind, viewers: next, forMs: durationMs(), ratePerSecond: ratePerSecond() });
      if (kind === 'churn')
        made.push({
          kind,
          forMs: 600_000,
          everyMs: 60_000,
          replacePercent: 1 + random(1000) / 100,
          ratePerSecond: 1 + level,
        });
      if (kind === 'ramp' || kind === 'step') level = next;
    }
    return made;
  }

  function audience(searches: boolean): PlanPull {
    const by = testers.filter(() => random(2) === 0);
    if (by.length === 0) by.push('t1');
    const weighted = by.filter(() => random(3) === 0);
    const kind = searches ? 'search' : pick(['plain', 'stages'] as const);
    return withDerived<PlanPull>({
      stream: pick(['cam', '123', 'yes']),
      from: 'o1',
      by,
      protocol: 'whep',
      viewers: 1 + random(100_000),
      ratePerSecond: ratePerSecond(),
      holdMs: kind === 'plain' ? pick([0, durationMs()]) : 0,
      ...(weighted.length > 0 && {
        weights: Object.fromEntries(weighted.map((name) => [name, pick([1, 2, 0.5, 1e-7, 12.25])])),
      }),
      ...(kind === 'stages' && { stages: stages() }),
      ...(kind === 'search' && {
        search: {
          fromViewers: 1 + random(50),
          mostViewers: 60 + random(5000),
          settleMs: durationMs(),
          measureMs: durationMs(),
          repeats: 1 + random(20),
          precisionPercent: 0.5 + random(40),
        },
      }),
      ...maybe(() => ({ realism: pick(['lean', 'full'] as const) })),
    });
  }

  const seriesIds: readonly SeriesId[] = [
    ...(Object.keys(seriesDefinitions) as SeriesId[]),
    'cpuCorePercent:3',
    'networkOutMbps:eth0',
    'server:ports_media_free',
  ];

  /** Of one series all together, as they are written. */
  function thresholds(): SeriesThreshold[] {
    const first = random(seriesIds.length);
    return some(4, (place) => seriesIds[(first + place) % seriesIds.length] ?? 'cpuPercent').flatMap(
      (series) =>
        some(2, () => ({
          series,
          comparison: pick(['<=', '>='] as const),
          value:
            pick([0, 1, 2 ** 30 * random(3), 4e9, 0.1 + random(90), 1e-9]) %
            (series.includes('ercent') ? 100 : 1e12),
          ...maybe(() => ({ node: pick([...testers, 'o1']) })),
          ...maybe(() => ({ tolerancePercent: random(1000) / 10 })),
          ...maybe(() => ({ graceMs: random(100_000) })),
        })),
    );
  }

  function randomPlan(): Plan {
    const searching = random(6);
    const [first = audience(false), ...others] = some(4, (place) => audience(place === searching));
    return {
      name: 'Random',
      nodes: Object.fromEntries([
        ['o1', { server: 'lab' }],
        ...testers.map((name) => [name, { tester: 'local' }]),
      ]) as Plan['nodes'],
      publish: [],
      pull: first,
      ...(others.length > 0 && { also: others }),
      expect: { degraded: { comparison: '<=', value: random(100) } },
      ...maybe(() => ({ thresholds: thresholds() })),
      ...maybe(() => ({
        stopWhen: some(3, () => {
          const what = pick(['degraded', 'failed', 'cpu', ...seriesIds] as const);
          const isShare = what === 'degraded' || what === 'failed' || what === 'cpu';
          return {
            what,
            comparison: isShare ? '>' : pick(['<', '>'] as const),
            value: random(1000) / 10,
            forMs: random(100_000),
            ...(isShare ? {} : maybe(() => ({ node: pick(testers) }))),
          };
        }),
      })),
      ...maybe(() => ({
        schedule: {
          repeat: 1 + random(1000),
          ...maybe(() => ({ atMs: random(4_000_000) * 1_000_003 })),
          ...maybe(() => ({ everyMs: durationMs() })),
        },
      })),
      ...maybe(() => ({
        hooks: some(3, () =>
          random(2) === 0
            ? {
                at: pick(['start', 'full', 'end'] as const),
                run: [
                  'prog',
                  ...some(3, () => pick(['', 'true', '5', '--x=y', "it's", 'a, b', '{', ' '])),
                ] as const,
              }
            : {
                at: pick(['start', 'full', 'end'] as const),
                post: pick(['http://[2001:db8::1]:80/a?b=1', 'https://a.example']),
              },
        ),
      })),
    };
  }

  it('is read as the same plan again, whatever it holds', () => {
    for (let i = 0; i < 150; i += 1) {
      const plan = randomPlan();
      expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
    }
  }, 30_000);
});
