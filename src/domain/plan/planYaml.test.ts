import { describe, expect, it } from 'vitest';
import { defaultExpectations, type Plan } from './plan';
import type { NodeSettings } from '../nodeSettings';
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

const example = `name: Pull 1000 on the local lab
nodes:
  origin: { server: lab }
  audience: { tester: local }
publish: [{ stream: cam, node: origin, source: sample-240p }]
pull: { stream: cam, from: origin, by: [audience], protocol: whep, viewers: 1000, rate: 200/s, hold: 60s }
expect: { connected: ">= 100%", degraded: "<= 1%", cpu: "<= 95%", gcPause: "<= 10ms" }
`;

const examplePlan: Plan = {
  name: 'Pull 1000 on the local lab',
  nodes: { origin: { server: 'lab' }, audience: { tester: 'local' } },
  publish: [{ stream: 'cam', node: 'origin', source: 'sample-240p' }],
  pull: {
    stream: 'cam',
    from: 'origin',
    by: ['audience'],
    protocol: 'whep',
    viewers: 1000,
    ratePerSecond: 200,
    holdMs: 60_000,
  },
  expect: {
    connected: { comparison: '>=', value: 100 },
    degraded: { comparison: '<=', value: 1 },
    cpu: { comparison: '<=', value: 95 },
    gcPause: { comparison: '<=', value: 10 },
  },
};

/** The example with one thing changed in its text. */
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
  throw new Error('The plan was taken.');
}

describe('realism', () => {
  const full = changed('protocol: whep,', 'protocol: whep, realism: full,');

  it('is read, and written only where a plan names it', () => {
    const { plan } = parsePlan(full);
    expect(plan.pull.realism).toBe('full');
    expect(planToYaml(plan)).toContain('hold: 60s, realism: full }');
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
    expect(planToYaml(examplePlan)).not.toContain('realism');
    expect(applySet(example, ['pull.realism=full']).plan.pull.realism).toBe('full');
  });

  it('is refused where no viewer can be so true', () => {
    expect(faultOf(() => parsePlan(full.replace('protocol: whep', 'protocol: rtmp')))).toMatchObject({
      path: 'pull.realism',
      line: 6,
      sentence: 'Only viewers by WHEP can be as true as a browser, not those by rtmp. Leave it out.',
    });
    expect(faultOf(() => parsePlan(full.replace('realism: full', 'realism: ful'))).sentence).toContain(
      'full',
    );
  });
});

describe('a plan that is right', () => {
  it('is read with its units', () => {
    expect(parsePlan(example)).toEqual({ plan: examplePlan, warnings: [] });
  });

  it('needs only what has no default', () => {
    const { plan } = parsePlan(changed(/expect.*\n/, '').replace(' protocol: whep,', ''));
    expect(plan.expect).toEqual(defaultExpectations);
    expect(plan.pull.protocol).toBe('whep');
  });

  it('leaves an expectation out when told, and keeps the defaults of the others', () => {
    const { plan } = parsePlan(changed(/expect.*\n/, 'expect: { cpu: off, degraded: "<= 2.5 %" }\n'));
    expect(plan.expect).toEqual({
      connected: defaultExpectations.connected,
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
    expect(parsePlan(changed('60s', text)).plan.pull.holdMs).toBe(holdMs);
  });

  it.each([
    ['200/s', 200],
    ['10/min', 1 / 6],
    ['0.5/s', 0.5],
  ])('reads the rate %s', (text, ratePerSecond) => {
    expect(parsePlan(changed('200/s', text)).plan.pull.ratePerSecond).toBe(ratePerSecond);
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

  it('is told of what looks like a mistake', () => {
    const text = changed('stream: cam, from', 'stream: camm, from').replace(
      'audience:',
      'spare: { tester: local }\n  audience:',
    );
    expect(parsePlan(text).warnings).toEqual([
      'The node "spare" is only watched: this plan neither pulls from it nor by it.',
      'Nobody publishes "camm" on "origin" in this plan, so it must be there already. Did you mean "cam"?',
    ]);
  });
});

describe('a plan that is wrong', () => {
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
    [
      'a negative number',
      '1000,',
      '-5,',
      6,
      'pull.viewers',
      '-5 is negative. Write how many viewers are to come, e.g. 1000.',
    ],
    ['half a viewer', '1000,', '10.5,', 6, 'pull.viewers', 'This must be a whole number.'],
    ['no viewers', '1000,', '0,', 6, 'pull.viewers', '0 is nothing.'],
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
    ['no time at all', '60s', '0s', 6, 'pull.hold', 'There must be some time to watch.'],
    ['a duration the wrong way round', '60s', '30s1m', 6, 'pull.hold', '"30s1m" is no duration.'],
    [
      'a rate without unit',
      '200/s',
      '200',
      6,
      'pull.rate',
      '200 has no unit. Write viewers per second or minute, e.g. 200/s or 10/min.',
    ],
    ['a rate of nothing', '200/s', '0/s', 6, 'pull.rate', 'At this rate nobody ever comes.'],
    [
      'an unknown protocol',
      'whep',
      'hls',
      6,
      'pull.protocol',
      '"hls" is not known. Possible: whep, wcs, rtmp, livekit.',
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
    ['an impossible name', 'origin: {', '"my origin": {', 3, 'nodes.my origin', `can't be a node's name`],
    [
      'a node that is not there',
      'from: origin',
      'from: orign',
      6,
      'pull.from',
      'There is no node "orign" in this plan. Did you mean "origin"?',
    ],
    [
      'pulling from a tester',
      'from: origin',
      'from: audience',
      6,
      'pull.from',
      '"audience" is a tester; here an origin is needed. There is: origin.',
    ],
    [
      'pulling by an origin',
      '[audience]',
      '[origin]',
      6,
      'pull.by.0',
      '"origin" is an origin; here a tester is needed. There is: audience.',
    ],
    ['nobody pulling', '[audience]', '[]', 6, 'pull.by', 'Nobody is named.'],
    ['a tester twice', '[audience]', '[audience, audience]', 6, 'pull.by.1', 'named twice'],
    [
      'no list',
      '[audience]',
      'audience',
      6,
      'pull.by',
      'This must be a list. Name the testers, e.g. [audience].',
    ],
    [
      'publishing on a tester',
      'node: origin',
      'node: audience',
      5,
      'publish.0.node',
      'here an origin is needed',
    ],
    ['an unknown source', 'sample-240p', 'sample-241p', 5, 'publish.0.source', 'Did you mean "sample-240p"?'],
    [
      'a field that is missing',
      ', hold: 60s',
      '',
      6,
      'pull.hold',
      '"hold" is missing. Write how long the full house lasts',
    ],
    ['a name that is missing', /name.*\n/, '', 1, 'name', '"name" is missing.'],
    ['an unknown expectation', 'gcPause', 'gcpause', 7, 'expect.gcpause', 'Did you mean "gcPause"?'],
    [
      'an expectation the wrong way round',
      '<= 95%',
      '>= 95%',
      7,
      'expect.cpu',
      'must begin with "<=". Write it like "<= 80%"',
    ],
    ['an expectation without unit', '<= 95%', '<= 95', 7, 'expect.cpu', '95 has no unit.'],
    ['an expectation without comparison', '">= 100%"', '100%', 7, 'expect.connected', 'must begin with ">="'],
    ['more than everything', '>= 100%', '>= 101%', 7, 'expect.connected', 'more than everything'],
    [
      'a pause in percent',
      '<= 10ms',
      '<= 10%',
      7,
      'expect.gcPause',
      '"10%" is not understood. Write it like "<= 10ms"',
    ],
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

  it('is found where an alias stands', () => {
    const text = changed('rate: 200/s, hold: 60s', 'rate: *nothing, hold: 60s');
    expect(faultOf(() => parsePlan(text)).line).toBe(6);
  });

  it.each([
    ['a key twice', changed('rate: 200/s', 'rate: 200/s, rate: 100/s'), 6, 'This key is here twice.'],
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

  it('adds what was not there, lists included', () => {
    const { plan } = applySet(example, [
      'nodes.second={ tester: local }',
      'pull.by=[audience, second]',
      'publish.0.stream=cam',
    ]);
    expect(plan.pull.by).toEqual(['audience', 'second']);
  });

  it('changes nothing when there is nothing to set', () => {
    expect(applySet(example, [])).toEqual(parsePlan(example));
  });

  it.each([
    ['pull.viewers=-5', '--set pull.viewers: -5 is negative.'],
    ['pull.viewer=5', '--set pull.viewer: "viewer" is not known here. Did you mean "viewers"?'],
    ['pull.hold=60', '--set pull.hold: 60 has no unit.'],
    ['pull.viewers.most=5', '--set pull.viewers.most: "pull.viewers" has no fields of its own.'],
    ['pull.viewers', '--set: "pull.viewers" is not understood. Write it like pull.viewers=200.'],
    ['pull.by=[audience', '--set pull.by: [audience is not valid YAML.'],
  ])('refuses %s', (set, message) => {
    const fault = faultOf(() => applySet(example, [set]));
    expect(fault.message).toContain(message);
    expect(fault.line).toBe(0);
  });

  it('leaves the faults of the text itself where they are', () => {
    expect(faultOf(() => applySet(changed('60s', '60'), ['pull.viewers=2'])).message).toContain(
      'Line 6, pull.hold',
    );
  });
});

describe('writing a plan', () => {
  it('looks like one that people write', () => {
    expect(planToYaml(examplePlan)).toBe(example);
  });

  it('gives the same plan back, whatever it holds', () => {
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
    for (let i = 0; i < 500; i += 1) {
      const testers = Array.from(
        { length: 1 + random(3) },
        (_, n) => pick(['t', '7t', 'null-', 'x.y'] as const) + n,
      );
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
    expect(planToCommandLine(examplePlan)).toBe('npx fullhouse run pull-1000-on-the-local-lab.yaml');
    expect(planToCommandLine(examplePlan, "my plan's.yaml")).toBe("npx fullhouse run 'my plan'\\''s.yaml'");
    const yaml = planToYaml(examplePlan);
    expect(planToShellCommand(examplePlan)).toBe(`npx fullhouse run - <<'PLAN'\n${yaml}PLAN\n`);
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
  ])('are read and written alike: %s', (text) => {
    const settings = nodesOf(text);
    expect(parseNodes(nodesToYaml({ it: settings as NodeSettings }))).toEqual({ it: settings });
  });

  it('takes the address of a tester for what it is', () => {
    expect(nodesOf('{ tester: qa@10.0.0.11 }')).toEqual({ tester: 'ssh', ssh: 'qa@10.0.0.11' });
  });

  it.each([
    [
      'a password',
      '{ tester: ssh, ssh: a@b, password: x }',
      'A secret has no place in a text that is passed on.',
    ],
    ['a server without address', '{ server: srs }', 'Say where it answers'],
    ['a generic one without any', '{ server: generic }', 'needs an address'],
    ['an SSH tester without SSH', '{ tester: ssh }', 'Say how it is reached'],
    [
      'a query for no series',
      '{ server: generic, whep: a, queries: { cpu: up } }',
      'There is no series "cpu".',
    ],
    ['a switch that is none', '{ server: srs, url: a, selfSigned: perhaps }', 'must be true or false'],
    ['an empty address', '{ server: srs, url: "" }', '"url" is empty.'],
    ['a field of the other kind', '{ tester: local, hls: a }', '"hls" is not known here.'],
  ])('refuses %s', (_what, text, sentence) => {
    expect(faultOf(() => nodesOf(text)).message).toContain(sentence);
  });
});
