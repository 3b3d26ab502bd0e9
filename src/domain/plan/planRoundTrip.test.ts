import { describe, expect, it } from 'vitest';
import { seriesDefinitions, type SeriesId } from '../series/series';
import { withDerived } from '../stages/derived';
import type { PlanStage } from '../model/audienceValues';
import type { Plan, Audience, SeriesThreshold } from '../model/plan';
import { parsePlan, PlanError, planToYaml } from './planYaml';
import { faultOf, head, plain, pull, staged } from '../../../tests/support/plans';

const manyKeys = (count: number): string => Array.from({ length: count }, (_, i) => `k${i}:\n`).join('');

describe('a text designed to overload the parser', () => {
  it.each([
    [
      'a map within itself',
      `${head}pull: &p { stream: cam, from: *p, by: [tester-1] }\n`,
      '"*p" is inside "&p" itself',
    ],
    [
      'stages within themselves',
      staged('{ ramp: 5, over: 1s }').replace('stages: [', 'stages: &s [*s, '),
      'never ends',
    ],
    ['a merge of itself', `${head}pull: &p { <<: *p, ${pull}, viewers: 1, rate: 1/s, hold: 1s }\n`, 'never ends'],
    ['a list in a list', `${plain}stop: ${'['.repeat(200)}${']'.repeat(200)}\n`, 'nested too deeply'],
    ['far deeper', `${plain}stop: ${'['.repeat(100_000)}\n`, 'nested too deeply'],
    ['aliases of aliases', `${plain}stop: [&a x, ${'*a, '.repeat(600)}]\n`, 'more than 500 aliases'],
    ['far too long', `${plain}# ${'x'.repeat(600_000)}\n`, 'too long for a plan'],
    ['thousands of keys', plain + manyKeys(15_000), 'more than 20000 lines, keys and items'],
    ['thousands of keys in one line', `${plain}stop: {${'a: 1,'.repeat(15_000)}}\n`, 'more than 20000 lines'],
  ])('is refused: %s', (_, text, sentence) => {
    expect(faultOf(text).sentence).toContain(sentence);
  });

  it('takes time linear in its length', () => {
    const cpuOf = (count: number): number => {
      const before = process.cpuUsage();
      expect(faultOf(plain + manyKeys(count)).sentence).toContain('"k0" is not a known field');
      return process.cpuUsage(before).user;
    };
    cpuOf(500); // warm-up: excludes compilation
    const [few, many] = [500, 8_000].map((count) => Math.min(...Array.from({ length: 3 }, () => cpuOf(count))));
    // 16 times the text; a quadratic parser takes 256 times as long.
    expect(many).toBeLessThan(80 * (few ?? 0));
  });

  it('finds a duplicate key among thousands', () => {
    const text = `${plain}${manyKeys(5000)}k77:\n`;
    expect(faultOf(text)).toMatchObject({
      line: text.split('\n').length - 1,
      sentence: 'This key occurs twice. Remove one of them.',
    });
  });

  it('does not mistake a jump host for a cycle', () => {
    const text = plain.replace('qa@192.0.2.12 }', 'qa@192.0.2.12, jump: tester-2 }');
    expect(parsePlan(text).warnings).toEqual([]);
  });
});

it('any text is a plan or has a fault with its line, never another error', () => {
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

describe('a written plan', () => {
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

  /** Valid stages, each after the ones before it. */
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
      if (kind === 'spike') made.push({ kind, viewers: next, forMs: durationMs(), ratePerSecond: ratePerSecond() });
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

  function audience(searches: boolean): Audience {
    const by = testers.filter(() => random(2) === 0);
    if (by.length === 0) by.push('t1');
    const weighted = by.filter(() => random(3) === 0);
    const kind = searches ? 'search' : pick(['plain', 'stages'] as const);
    return withDerived<Audience>({
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
          maxViewers: 60 + random(5000),
          settleMs: durationMs(),
          measureMs: durationMs(),
          repeats: 1 + random(20),
          precisionPercent: 0.5 + random(40),
        },
      }),
      ...maybe(() => ({ label: pick(['mobile', 'null', 'a: b', 'Zuschauer ü']) })),
      ...maybe(() => ({ fidelity: pick(['media-only', 'browser'] as const) })),
    });
  }

  const seriesIds: readonly SeriesId[] = [
    ...(Object.keys(seriesDefinitions) as SeriesId[]),
    'cpuCorePercent:3',
    'networkOutMbps:eth0',
    'server:ports_media_free',
  ];

  /** All of one series together, in written order. */
  function thresholds(): SeriesThreshold[] {
    const first = random(seriesIds.length);
    return some(4, (place) => seriesIds[(first + place) % seriesIds.length] ?? 'cpuPercent').flatMap((series) =>
      some(2, () => ({
        series,
        comparison: pick(['<=', '>='] as const),
        value:
          pick([0, 1, 2 ** 30 * random(3), 4e9, 0.1 + random(90), 1e-9]) % (series.includes('ercent') ? 100 : 1e12),
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
                run: ['prog', ...some(3, () => pick(['', 'true', '5', '--x=y', "it's", 'a, b', '{', ' ']))] as const,
              }
            : {
                at: pick(['start', 'full', 'end'] as const),
                post: pick(['http://[2001:db8::1]:80/a?b=1', 'https://a.example']),
              },
        ),
      })),
    };
  }

  it('is read as the same plan again', () => {
    for (let i = 0; i < 150; i += 1) {
      const plan = randomPlan();
      expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
    }
  }, 30_000);
});
