import { describe, expect, it } from 'vitest';
import { Document, isPair, isScalar, isSeq, parseDocument, visit, type Scalar } from 'yaml';
import { pullProtocols } from '../model/protocols';
import { defaultExpectations, type Plan } from '../model/plan';
import type { NodeSettings } from '../model/nodeSettings';
import {
  applySet,
  nodesToYaml,
  parseNodes,
  parsePlan,
  PlanError,
  planFileName,
  planToCommandLine,
  planToShellCommand,
  planToYaml,
} from './planYaml';
import { samplePlan } from '../../../tests/support/samplePlan';
import { audienceIn } from '../../../tests/support/pullPlan';

const example = `name: Pull 1000 on the local lab
nodes:
  origin: { server: lab }
  audience: { tester: local }
publish: [{ stream: cam, node: origin, source: sample-240p }]
pull: { stream: cam, from: origin, by: [audience], protocol: whep, viewers: 1000, rate: 200/s, hold: 60s }
expect: { connected: ">= 100%", outages: "<= 5s unless reconnect", degraded: "<= 1%", cpu: "<= 95%", gcPause: "<= 10ms" }
`;

const examplePlan = samplePlan(
  {},
  {
    name: 'Pull 1000 on the local lab',
    expect: {
      connected: { comparison: '>=', value: 100 },
      outages: { comparison: '<=', value: 5, ifMeasured: true },
      degraded: { comparison: '<=', value: 1 },
      cpu: { comparison: '<=', value: 95 },
      gcPause: { comparison: '<=', value: 10 },
    },
  },
);

/** Values of each kind that a plan has. */
const everything = `name: Everything
nodes:
  origin: { server: srs, url: "http://10.0.0.5:1985", whep: "http://10.0.0.5/{stream}", selfSigned: true }
  load: { tester: ssh, hosts: [qa@10.0.0.6, qa@10.0.0.7], atLeast: 1 }
publish:
  - { stream: cam, node: origin, source: sample-240p, by: load, publishers: 2, rate: 1/s }
pull:
  - stream: cam-1
    from: origin
    by: [load]
    protocol: whep
    reconnect: true
    headers: { X-Test: "1", X-Other: a b }
    network: { rtt: 80ms, jitter: 5ms, loss: 1.5%, steps: [{ at: 5s, loss: 2% }] }
    stages: [{ ramp: 100, over: 10s }, { hold: 30s }, { ramp: 0, over: 5s }]
  - { stream: cam-2, from: origin, by: [load], protocol: whep, viewers: 7, rate: 2.5/s, hold: 20s, label: "007" }
expect:
  connected: ">= 99.5%"
  gcPause: off
  rttP95Ms: { is: "<= 50ms", tolerance: 5%, grace: 10s }
stop: ["degraded > 20% for 30s"]
schedule: { repeat: 3, every: 1h }
hooks: [{ at: end, run: [notify, done] }]
`;

/** The example with one change in its text. */
function changed(from: string | RegExp, to: string): string {
  const text = example.replace(from, to);
  if (typeof from === 'string' ? !example.includes(from) : !from.test(example))
    throw new Error(`"${String(from)}" is not in the example.`);
  return text;
}

function faultOf(act: () => unknown): PlanError {
  try {
    act();
  } catch (error) {
    if (error instanceof PlanError) return error;
    throw error;
  }
  throw new Error('The plan was accepted.');
}

describe('fidelity', () => {
  const full = changed('protocol: whep,', 'protocol: whep, fidelity: browser,');

  it('is read, and written only if the plan has it', () => {
    const { plan } = parsePlan(full);
    expect(plan.pull?.fidelity).toBe('browser');
    expect(planToYaml(plan)).toContain('hold: 60s, fidelity: browser }');
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
    expect(planToYaml(examplePlan)).not.toContain('fidelity');
    expect(applySet(example, ['pull.fidelity=browser']).plan.pull?.fidelity).toBe('browser');
  });

  it('is refused for protocols without it', () => {
    expect(faultOf(() => parsePlan(full.replace('protocol: whep', 'protocol: rtmp')))).toMatchObject({
      path: 'pull.fidelity',
      line: 6,
      sentence: 'Only WHEP supports browser fidelity, rtmp does not. Remove it.',
    });
    expect(faultOf(() => parsePlan(full.replace('fidelity: browser', 'fidelity: brows'))).sentence).toContain(
      'browser',
    );
  });

  it('is read by its deprecated name and values, with a warning, and written by the new ones', () => {
    const old = parsePlan(full.replace('fidelity: browser', 'realism: full'));
    expect(old.plan).toEqual(parsePlan(full).plan);
    expect(old.warnings).toEqual([
      'Line 6, pull.realism: "realism" is deprecated. Write "fidelity".',
      'Line 6, pull.fidelity: "full" is deprecated. Write "browser".',
    ]);
    expect(planToYaml(old.plan)).not.toMatch(/realism|full/);
    expect(applySet(example, ['pull.realism=lean'])).toMatchObject({
      plan: { pull: { fidelity: 'media-only' } },
      warnings: [expect.stringMatching(/^--set pull\.realism: /), expect.stringMatching(/^--set pull\.fidelity: /)],
    });
    expect(applySet(full, ['pull.realism=lean']).plan.pull?.fidelity).toBe('media-only');
  });
});

it('series are read by their deprecated names, with a warning, and written by the new ones', () => {
  const old = changed(
    /expect.*\n/,
    "expect: { originAnswerMs: '<= 500ms' }\nstop: ['testerFailedHere > 3 for 5s']\n",
  ).replace(
    'server: lab',
    "server: generic, whep: 'http://h/{stream}', prometheus: 'http://h:9090', queries: { originAnswerMs: up }",
  );
  const { plan, warnings } = parsePlan(old);
  expect(plan.thresholds?.map(({ series }) => series)).toEqual(['originResponseMs']);
  expect(plan.stopWhen?.map(({ what }) => what)).toEqual(['viewersFailedOnTester']);
  expect(plan.nodes['origin']).toMatchObject({ queries: { originResponseMs: 'up' } });
  expect(warnings.filter((warning) => warning.includes('is deprecated'))).toHaveLength(3);
  expect(warnings.join()).toContain('"testerFailedHere" is deprecated. Write "viewersFailedOnTester".');
  expect(planToYaml(plan)).not.toMatch(/AnswerMs|FailedHere/);
});

describe('a valid plan', () => {
  it('is read with its units', () => {
    expect(parsePlan(example)).toEqual({ plan: examplePlan, warnings: [] });
  });

  it('needs only what has no default', () => {
    const { plan } = parsePlan(changed(/expect.*\n/, '').replace(' protocol: whep,', ''));
    expect(plan.expect).toEqual(defaultExpectations);
    expect(plan.pull?.protocol).toBe('whep');
  });

  it.each([
    ['30s', 30, undefined],
    ['"<= 30 s"', 30, undefined],
    ['2min', 120, undefined],
    ['500ms', 0.5, undefined],
    ['"<= 5s unless reconnect"', 5, true],
    ['5s unless reconnect', 5, true],
  ])('reads outages: %s', (text, value, ifMeasured) => {
    const { plan } = parsePlan(changed(/expect.*\n/, `expect: { outages: ${text} }\n`));
    expect(plan.expect.outages).toEqual({ comparison: '<=', value, ...(ifMeasured ? { ifMeasured } : {}) });
    expect(parsePlan(planToYaml(plan)).plan.expect).toEqual(plan.expect);
  });

  it.each([
    ['">= 5s"', 'must start with "<="'],
    ['5', '5 has no unit'],
    ['-1s', 'is negative'],
    ['48h', 'is more than 86400 s'],
    ['"<= 5s if measured"', 'Write "unless reconnect" instead of "if measured".'],
    ['{ longest: 5s }', 'Write it like "<= 5s", or "off".'],
  ])('refuses outages: %s', (text, fault) => {
    const wrong = changed(/expect.*\n/, `expect: { outages: ${text} }\n`);
    expect(faultOf(() => parsePlan(wrong)).message).toContain(fault);
  });

  it('omits an expectation that is off, and keeps the defaults of the others', () => {
    const { plan } = parsePlan(changed(/expect.*\n/, 'expect: { cpu: off, degraded: "<= 2.5 %" }\n'));
    expect(plan.expect).toEqual({
      connected: defaultExpectations.connected,
      outages: defaultExpectations.outages,
      degraded: { comparison: '<=', value: 2.5 },
      gcPause: defaultExpectations.gcPause,
    });
  });

  it.each([
    ['60s', 60_000],
    ['2m', 120_000],
    ['500ms', 500],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['until-stopped', 0],
  ])('reads the hold %s', (text, holdMs) => {
    expect(parsePlan(changed('60s', text)).plan.pull?.holdMs).toBe(holdMs);
  });

  it.each([
    ['200/s', 200],
    ['10/min', 1 / 6],
    ['0.5/s', 0.5],
  ])('reads the rate %s', (text, ratePerSecond) => {
    expect(parsePlan(changed('200/s', text)).plan.pull?.ratePerSecond).toBe(ratePerSecond);
  });

  it('may use anchors and merges', () => {
    const text = changed(
      /publish.*\npull.*\n/,
      [
        'publish: [{ stream: &stream cam, node: &here origin, source: external }]',
        'pull: { <<: { protocol: whep, viewers: 1, hold: 1s }, stream: *stream, from: *here, by: [audience], viewers: 7, rate: 1/s }',
        '',
      ].join('\n'),
    );
    expect(parsePlan(text).plan.pull).toMatchObject({
      stream: 'cam',
      from: 'origin',
      viewers: 7,
      holdMs: 1000,
    });
  });

  it('warns of likely mistakes', () => {
    const text = changed('stream: cam, from', 'stream: camm, from').replace(
      'audience:',
      'spare: { tester: local }\n  audience:',
    );
    expect(parsePlan(text).warnings).toEqual([
      'Node "spare" is only observed: this plan does not pull from it or with it.',
      'This plan does not publish "camm" on "origin", so the stream must already exist. Did you mean "cam"?',
    ]);
  });
});

describe('an invalid plan', () => {
  it.each<[string, string | RegExp, string, number, string, string]>([
    ['a misspelt key', 'viewers: 1000', 'viewer: 1000', 6, 'pull.viewer', 'Did you mean "viewers"?'],
    [
      'an unknown key at the top',
      'expect:',
      'speed: 1\nexpect:',
      7,
      'speed',
      'Possible: name, nodes, publish, pull, expect, stop, schedule, hooks.',
    ],
    ['a negative number', '1000,', '-5,', 6, 'pull.viewers', '-5 is negative. Write the number of viewers, e.g. 1000.'],
    ['half a viewer', '1000,', '10.5,', 6, 'pull.viewers', 'This must be a whole number.'],
    ['no viewers', '1000,', '0,', 6, 'pull.viewers', '0 is too small.'],
    ['a number as text', '1000,', '"1000",', 6, 'pull.viewers', 'This must be a whole number.'],
    [
      'a duration without unit',
      '60s',
      '60',
      6,
      'pull.hold',
      '60 has no unit. Write it with its unit, e.g. 60s, 2m, 500ms or 1h30m, or until-stopped.',
    ],
    ['a negative duration', '60s', '-60s', 6, 'pull.hold', '-60s is negative.'],
    ['a hold of 0', '60s', '0s', 6, 'pull.hold', 'The hold must be longer than 0.'],
    ['a duration the wrong way round', '60s', '30s1m', 6, 'pull.hold', '"30s1m" is not a duration.'],
    [
      'a rate without unit',
      '200/s',
      '200',
      6,
      'pull.rate',
      '200 has no unit. Write viewers per second or minute, e.g. 200/s or 10/min.',
    ],
    ['a rate of 0', '200/s', '0/s', 6, 'pull.rate', 'At this rate no viewer ever connects.'],
    [
      'an unknown protocol',
      'whep',
      'sip-trunk',
      6,
      'pull.protocol',
      `"sip-trunk" is not known. Possible: ${pullProtocols.join(', ')}.`,
    ],
    ['an unknown server', 'lab }', 'labb }', 3, 'nodes.origin.server', 'Did you mean "lab"?'],
    [
      'a node of both kinds',
      'server: lab',
      'server: lab, tester: local',
      3,
      'nodes.origin',
      'A node is either { server: ... } or { tester: ... }',
    ],
    ['a node without kind', '{ server: lab }', '{}', 3, 'nodes.origin', 'A node is either'],
    ['an impossible name', 'origin: {', '"my origin": {', 3, 'nodes.my origin', `is not a valid node name`],
    [
      'a node that does not exist',
      'from: origin',
      'from: orign',
      6,
      'pull.from',
      'This plan has no node "orign". Did you mean "origin"?',
    ],
    [
      'pulling from a tester',
      'from: origin',
      'from: audience',
      6,
      'pull.from',
      '"audience" is a tester; here an origin is needed. Available: origin.',
    ],
    [
      'pulling with an origin',
      '[audience]',
      '[origin]',
      6,
      'pull.by.0',
      '"origin" is an origin; here a tester is needed. Available: audience.',
    ],
    ['no tester', '[audience]', '[]', 6, 'pull.by', 'No tester is named.'],
    ['a tester twice', '[audience]', '[audience, audience]', 6, 'pull.by.1', 'named twice'],
    ['no list', '[audience]', 'audience', 6, 'pull.by', 'This must be a list. Name the testers, e.g. [audience].'],
    ['publishing on a tester', 'node: origin', 'node: audience', 5, 'publish.0.node', 'here an origin is needed'],
    ['an unknown source', 'sample-240p', 'sample-241p', 5, 'publish.0.source', 'Did you mean "sample-240p"?'],
    ['a missing field', ', hold: 60s', '', 6, 'pull.hold', '"hold" is missing. Write the hold time'],
    ['a missing name', /name.*\n/, '', 1, 'name', '"name" is missing.'],
    ['an unknown expectation', 'gcPause', 'gcpause', 7, 'expect.gcpause', 'Did you mean "gcPause"?'],
    [
      'an expectation the wrong way round',
      '<= 95%',
      '>= 95%',
      7,
      'expect.cpu',
      'must start with "<=". Write it like "<= 80%"',
    ],
    ['an expectation without unit', '<= 95%', '<= 95', 7, 'expect.cpu', '95 has no unit.'],
    ['an expectation without comparison', '">= 100%"', '100%', 7, 'expect.connected', 'must start with ">="'],
    ['more than 100 %', '>= 100%', '>= 101%', 7, 'expect.connected', 'more than 100 %'],
    ['a pause in percent', '<= 10ms', '<= 10%', 7, 'expect.gcPause', '"10%" is not valid. Write it like "<= 10ms"'],
    ['a pause of more than a minute', '<= 10ms', '<= 61s', 7, 'expect.gcPause', '61s is more than 60000 ms'],
    ['a negative expectation', '<= 10ms', '<= -10ms', 7, 'expect.gcPause', '-10ms is negative'],
  ])('%s', (_, from, to, line, path, sentence) => {
    const fault = faultOf(() => parsePlan(changed(from, to)));
    expect(fault.path).toBe(path);
    expect(fault.line).toBe(line);
    expect(fault.sentence).toContain(sentence);
    expect(fault.message).toBe(`Line ${line}, ${path}: ${fault.sentence}`);
  });

  it('names the column too', () => {
    const fault = faultOf(() => parsePlan(changed('60s', '60')));
    expect(example.split('\n')[5]?.slice(fault.column - 1)).toBe('60s }');
  });

  it('is located at an alias', () => {
    const text = changed('rate: 200/s, hold: 60s', 'rate: *nothing, hold: 60s');
    expect(faultOf(() => parsePlan(text)).line).toBe(6);
  });

  it.each([
    ['a duplicate key', changed('rate: 200/s', 'rate: 200/s, rate: 100/s'), 6, 'This key occurs twice.'],
    ['no YAML', changed('hold: 60s }', 'hold: 60s'), 7, 'This is not valid YAML'],
    ['nothing', '', 1, 'The plan is empty.'],
    ['only a comment', '# later\n', 1, 'The plan is empty.'],
    ['a text', 'hello', 1, 'This must be a list of "key: value" pairs'],
  ])('%s', (_, text, line, sentence) => {
    const fault = faultOf(() => parsePlan(text));
    expect(fault.sentence).toContain(sentence);
    expect(fault.line).toBe(line);
  });
});

describe('setting fields from outside', () => {
  it('changes single fields', () => {
    const { plan } = applySet(example, [
      'pull.viewers=200',
      'pull.hold=5s',
      'expect.cpu=<= 50%',
      'expect.connected=>= 90%',
    ]);
    expect(plan.pull).toMatchObject({ viewers: 200, holdMs: 5000, ratePerSecond: 200 });
    expect(plan.expect.cpu?.value).toBe(50);
    expect(plan.expect.connected?.value).toBe(90);
  });

  it('adds missing fields, including lists', () => {
    const { plan } = applySet(example, [
      'nodes.second={ tester: local }',
      'pull.by=[audience, second]',
      'publish.0.stream=cam',
    ]);
    expect(plan.pull?.by).toEqual(['audience', 'second']);
  });

  it('reads flags, numbers, texts, lists and maps', () => {
    const set = (...sets: string[]) => applySet(example, sets).plan;
    expect(set('pull.reconnect=true').pull?.reconnect).toEqual(
      parsePlan(changed('hold: 60s', 'hold: 60s, reconnect: true')).plan.pull?.reconnect,
    );
    expect(
      set('nodes.origin={ server: generic, whep: "https://10.0.0.5/w", selfSigned: true }').nodes['origin'],
    ).toMatchObject({
      selfSigned: true,
    });
    expect(set('pull.network={ rtt: 80ms, loss: 1% }').pull?.network).toEqual(
      set('pull.network.rtt=80ms', 'pull.network.loss=1%').pull?.network,
    );
    expect(set('expect.rttP95Ms=["<= 50ms", ">= 1ms"]').thresholds).toHaveLength(2);
    expect(set('stop.0=degraded > 20% for 30s', 'stop.1=degraded > 50% for 5s').stopWhen).toHaveLength(2);
    expect(set('publish=[]').publish).toEqual([]);
    expect(set('name="12"').name).toBe('12');
    expect(set('name=it: is # 1, [a]').name).toBe('it: is # 1, [a]');
    // A number is a text where one is expected, as it was typed.
    expect(set('pull.stream=007', 'publish.0.stream=007').pull?.stream).toBe('007');
    expect(set('pull.viewers=007').pull?.viewers).toBe(7);
    expect(set('pull.viewers=1e3').pull?.viewers).toBe(1000);
  });

  it('removes a field that is set to null', () => {
    const text = changed('hold: 60s', 'hold: 60s, reconnect: true');
    expect(applySet(text, ['pull.reconnect=null'])).toEqual(parsePlan(example));
    expect(faultOf(() => applySet(text, ['pull.hold=null'])).message).toContain('--set pull.hold: "hold" is missing.');
  });

  it('changes a value of an anchor in its place only', () => {
    const shared = example
      .replace('{ server: lab }', '{ server: lab }\n  second: &t { tester: local }')
      .replace('audience: { tester: local }', 'audience: *t');
    const { plan } = applySet(shared, ['nodes.audience.tester=ssh', 'nodes.audience.ssh=qa@10.0.0.9']);
    expect(plan.nodes).toMatchObject({ second: { tester: 'local' }, audience: { tester: 'ssh', ssh: 'qa@10.0.0.9' } });
  });

  it('accepts each value of a plan as it is written there', () => {
    const whole = parsePlan(everything).plan;
    const { contents } = parseDocument(everything);
    const places: Array<{ path: string; value: string }> = [];
    visit(contents, {
      Node: (key, node, above) => {
        if (key === 'key' || node === contents) return;
        const path = [...above, node].flatMap((each, depth, all) => {
          const next = all[depth + 1];
          if (isPair(each)) return [String((each.key as Scalar).value)];
          return isSeq(each) && next ? [String(each.items.indexOf(next))] : [];
        });
        const value = isScalar(node)
          ? String(node.source ?? node.value)
          : new Document(node).toString({ collectionStyle: 'flow', lineWidth: 0 }).trim();
        places.push({ path: path.join('.'), value });
      },
    });
    expect(places.length).toBeGreaterThan(60);
    for (const { path, value } of places)
      expect(applySet(everything, [`${path}=${value}`]).plan, `${path}=${value}`).toEqual(whole);
  });

  it('names the places of a list, and refuses to remove what does not exist', () => {
    const { plan } = parsePlan(example);
    const also = [{ ...audienceIn(plan), label: 'On the train' }];
    const two = planToYaml({ ...plan, pull: { ...audienceIn(plan), label: 'At home' }, also });
    const sentence = (set: string): string => faultOf(() => applySet(two, [set])).sentence;
    const places = '"pull" is a list of 2 items: write pull.0.viewers (At home) or pull.1.viewers (On the train).';
    for (const key of ['', '2.', '5.', '-1.', '*.']) expect(sentence(`pull.${key}viewers=3`), key).toBe(places);
    expect(sentence('pull[1].viewers=3')).toBe('Write the place in a list as pull.1.viewers.');
    for (const path of ['pull.1.viewrs', 'pull.2', 'expect.nothing'])
      expect(sentence(`${path}=null`), path).toMatch(/does not exist in the plan|is a list of 2 items/);
    expect(applySet(two, ['pull.1.viewers=3']).plan.also?.[0]?.viewers).toBe(3);
  });

  it('changes nothing when there is nothing to set', () => {
    expect(applySet(example, [])).toEqual(parsePlan(example));
  });

  it.each([
    ['pull.viewers=-5', '--set pull.viewers: -5 is negative.'],
    ['pull.viewer=5', '--set pull.viewer: "viewer" is not a known field. Did you mean "viewers"?'],
    ['pull.hold=60', '--set pull.hold: 60 has no unit.'],
    ['pull.viewers.most=5', '--set pull.viewers.most: "pull.viewers" has no fields.'],
    ['pull.viewers', '--set: "pull.viewers" is not valid. Write it like pull.viewers=200.'],
    ['pull.by=[audience', '--set pull.by: [audience is not valid YAML.'],
  ])('refuses %s', (set, message) => {
    const fault = faultOf(() => applySet(example, [set]));
    expect(fault.message).toContain(message);
    expect(fault.line).toBe(0);
  });

  it('keeps the location of faults in the text itself', () => {
    expect(faultOf(() => applySet(changed('60s', '60'), ['pull.viewers=2'])).message).toContain('Line 6, pull.hold');
  });
});

describe('writing a plan', () => {
  it('is formatted like a hand-written one', () => {
    expect(planToYaml(examplePlan)).toBe(example);
  });

  it('survives a round trip', () => {
    let seed = 1;
    const random = (below: number): number => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
    const names = [
      'Pull',
      'true',
      '12',
      '- a: b # c',
      '"quoted"',
      'Zürich & Ōsaka',
      ' x',
      '~',
      '1e3',
      'a, b',
      '{x}',
      "it's",
      'no',
    ];
    for (let i = 0; i < 150; i += 1) {
      const testers = Array.from({ length: 1 + random(3) }, (_, n) => pick(['t', '7t', 'null-', 'x.y'] as const) + n);
      const plan: Plan = {
        name: pick(names).trim(),
        nodes: Object.fromEntries([
          ['o1', { server: 'lab' }],
          ...testers.map((name) => [name, { tester: 'local' }]),
        ]) as Plan['nodes'],
        publish: Array.from({ length: random(3) }, (_, n) => ({
          stream: pick(['cam', '123', '1e5', 'a.b']) + n,
          node: 'o1',
          source: pick(['sample-240p', 'external'] as const),
        })),
        pull: {
          stream: pick(['cam', '123', '1.5', 'yes']),
          from: 'o1',
          by: testers,
          protocol: 'whep',
          viewers: 1 + random(100_000),
          ratePerSecond: pick([200, 0.5, 1 / 6, 12.5, 1 / 60, 0.1, 7 / 60]),
          holdMs: pick([0, 1, 999, 60_000, 90_000, 120_000, 3_600_000, 5_400_123, random(1e9)]),
        },
        expect: {
          ...(random(2) === 0 && { connected: { comparison: '>=', value: random(1000) / 10 } as const }),
          ...(random(2) === 0 && { cpu: { comparison: '<=', value: random(101) } as const }),
          ...(random(2) === 0 && { gcPause: { comparison: '<=', value: random(1000) / 100 } as const }),
        },
      };
      expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
    }
  });

  it('has a file name and a command', () => {
    expect(planFileName(examplePlan)).toBe('pull-1000-on-the-local-lab.yaml');
    expect(planToCommandLine(examplePlan)).toBe('npx --no-install fullhouse run pull-1000-on-the-local-lab.yaml');
    expect(planToCommandLine(examplePlan, "my plan's.yaml")).toBe(
      "npx --no-install fullhouse run 'my plan'\\''s.yaml'",
    );
    const yaml = planToYaml(examplePlan);
    expect(planToShellCommand(examplePlan)).toBe(`npx --no-install fullhouse run - <<'PLAN'\n${yaml}PLAN\n`);
  });
});

describe('nodes of all kinds', () => {
  const nodesOf = (node: string) => parseNodes(`nodes:\n  it: ${node}\n`)['it'];

  it.each([
    ['{ server: srs, url: http://10.0.0.9:1985, ssh: qa@10.0.0.9, process: srs }'],
    [
      '{ server: generic, whep: "http://10.0.0.9/whep/{stream}", prometheus: http://10.0.0.3:9090, queries: { cpuPercent: "up" } }',
    ],
    ['{ server: livekit, url: https://lk.example.org, apiKey: key, selfSigned: true }'],
    ['{ tester: ssh, ssh: "qa@10.0.0.11:2222", jump: "qa@bastion", keyFile: ~/.ssh/id_qa }'],
    ['{ tester: wcs, url: "http://10.0.0.12:8081" }'],
  ])('survive a round trip: %s', (text) => {
    const settings = nodesOf(text);
    expect(parseNodes(nodesToYaml({ it: settings as NodeSettings }))).toEqual({ it: settings });
  });

  it('accepts an address in place of the kind of tester', () => {
    expect(nodesOf('{ tester: qa@10.0.0.11 }')).toEqual({ tester: 'ssh', ssh: 'qa@10.0.0.11' });
  });

  it.each([
    ['a password', '{ tester: ssh, ssh: a@b, password: x }', 'Secrets must not be written into a plan or fleet file.'],
    ['a server without address', '{ server: srs }', 'Add its address'],
    ['a generic server without address', '{ server: generic }', 'needs an address'],
    ['an SSH tester without SSH', '{ tester: ssh }', 'Add its SSH address'],
    ['a query for no series', '{ server: generic, whep: a, queries: { cpu: up } }', 'Series "cpu" does not exist.'],
    ['a flag that is not a boolean', '{ server: srs, url: a, selfSigned: perhaps }', 'must be true or false'],
    ['an empty address', '{ server: srs, url: "" }', 'nodes.it.url: This is empty.'],
    ['a field of the other kind', '{ tester: local, hls: a }', '"hls" is not a known field.'],
  ])('refuses %s', (_what, text, sentence) => {
    expect(faultOf(() => nodesOf(text)).message).toContain(sentence);
  });
});
