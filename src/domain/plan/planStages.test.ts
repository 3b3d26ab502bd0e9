import { describe, expect, it } from 'vitest';
import { applySet, parsePlan, planToYaml } from './planYaml';
import { faultOf, head, pull, staged } from '../../../tests/support/plans';

describe('stages', () => {
  const all =
    '{ ramp: 500, over: 30s }, { hold: 2m }, { step: 2500, by: 500, hold: 60s, rate: 100/s }, { spike: 2800, for: 20s, rate: 200/s }, ' +
    '{ soak: 1h }, { churn: 10%, every: 6s, for: 5m, rate: 50/s }';

  it('are read, and define the number of viewers, the rate and the length', () => {
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

  it('are written one per line', () => {
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
    ['a hold at 0 viewers', '{ hold: 2m }', '0.hold', 'The hold starts at 0 viewers'],
    [
      'a soak at 0 viewers',
      '{ ramp: 5, over: 1s }, { ramp: 0, over: 1s }, { soak: 1h }',
      '2.soak',
      'The soak starts at 0 viewers',
    ],
    [
      'a churn at 0 viewers',
      '{ churn: 10%, every: 3s, for: 5m, rate: 50/s }',
      '0.churn',
      'The churn starts at 0 viewers',
    ],
    ['a ramp of zero length', '{ ramp: 500, over: 0s }', '0.over', 'The ramp needs a duration above 0.'],
    ['a ramp without a change', '{ ramp: 5, over: 1s }, { ramp: 5, over: 1s }', '1.ramp', 'already 5 viewers'],
    ['a ramp from 0 to 0', '{ ramp: 0, over: 1s }', '0.ramp', 'changes nothing'],
    [
      'a step without a change',
      '{ ramp: 5, over: 1s }, { step: 5, by: 1, hold: 1s, rate: 1/s }',
      '1.step',
      'change nothing',
    ],
    ['a step by 0', '{ step: 5, by: 0, hold: 1s, rate: 1/s }', '0.by', '0 is too small.'],
    ['too many steps', '{ step: 5000, by: 1, hold: 1s, rate: 1/s }', '0.by', 'makes more than 1,000 steps'],
    [
      'a spike below the level',
      '{ ramp: 900, over: 1s }, { spike: 800, for: 20s, rate: 1/s }',
      '1.spike',
      'a spike must go above it',
    ],
    [
      'a churn faster than its rate allows',
      '{ ramp: 500, over: 1s }, { churn: 10%, every: 500ms, for: 5m, rate: 50/s }',
      '1.rate',
      '10 % of 500 are 50 viewers, which need 1.0 s at 50/s but are replaced every 500ms.',
    ],
    [
      'a churn shorter than its interval',
      '{ ramp: 5, over: 1s }, { churn: 10%, every: 9s, for: 5s, rate: 5/s }',
      '1.every',
      'It lasts 5s',
    ],
    [
      'a churn of more than 100 %',
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
    ['a field of another stage', '{ ramp: 5, over: 1s, by: 2 }', '0.by', '"by" is not a known field.'],
    ['a missing field', '{ ramp: 5 }', '0.over', '"over" is missing. Write it like { ramp: 500, over: 30s }.'],
    ['a duration without unit', '{ ramp: 5, over: 30 }', '0.over', '30 has no unit.'],
    ['too long a duration', '{ ramp: 5, over: 99999h }', '0.over', 'longer than a year'],
    ['half a viewer', '{ ramp: 2.5, over: 1s }', '0.ramp', 'whole number'],
    ['no map', 'ramp', '0', 'list of "key: value" pairs'],
  ])('are refused: %s', (_, stages, path, sentence) => {
    const fault = faultOf(staged(stages));
    expect(fault).toMatchObject({ line: 7, path: `pull.stages.${path}` });
    expect(fault.sentence).toContain(sentence);
  });

  it('are refused if empty, too many, or combined with other fields', () => {
    expect(faultOf(staged('')).message).toContain('pull.stages: The list of stages is empty.');
    const ramps = Array.from({ length: 101 }, (_, i) => `{ ramp: ${i + 1}, over: 1s }`).join(', ');
    expect(faultOf(staged(ramps)).sentence).toContain('at most 100');
    const stages = '{ ramp: 5, over: 1s }';
    for (const field of ['viewers: 5', 'rate: 5/s', 'hold: 5s'])
      expect(faultOf(staged(stages).replace('stages:', `${field}, stages:`)).sentence).toContain(
        `The stages define it. Remove "${field.split(':')[0]}".`,
      );
    expect(faultOf(staged(stages).replace('stages:', 'search: { from: 1, max: 2 }, stages:'))).toMatchObject({
      path: 'pull.search',
    });
  });

  it('can be set from outside', () => {
    const { plan } = applySet(staged('{ ramp: 500, over: 30s }'), ['pull.stages.0.ramp=50']);
    expect(plan.pull).toMatchObject({ viewers: 50, stages: [{ viewers: 50 }] });
    expect(faultOf(staged('{ ramp: 5, over: 1s }'), ['pull.viewers=7']).message).toBe(
      '--set pull.viewers: The stages define it. Remove "viewers".',
    );
  });

  it('warn of likely mistakes', () => {
    expect(parsePlan(staged('{ step: 300, by: 500, hold: 1s, rate: 9/s }')).warnings).toEqual([
      'A step by 500 from 0 to 300 viewers makes a single, smaller step.',
    ]);
  });
});

describe('a search', () => {
  const searching = (search: string): string => `${head}pull: { ${pull}, rate: 50/s, search: ${search} }\n`;

  it('is read with defaults, and bounded in time', () => {
    const { pull: read } = parsePlan(searching('{ from: 20, max: 1000 }')).plan;
    expect(read).toMatchObject({
      viewers: 1000,
      ratePerSecond: 50,
      search: {
        fromViewers: 20,
        maxViewers: 1000,
        settleMs: 5000,
        measureMs: 10_000,
        repeats: 3,
        precisionPercent: 3,
      },
    });
    expect(read?.holdMs).toBe(3 * 60 * 35_000);
  });

  it.each([
    ['{ from: 50, max: 20 }', 'pull.search.max', 'starts at 50 viewers and ends at 20'],
    ['{ from: 50, max: 50 }', 'pull.search.max', 'nothing to search'],
    ['{ from: 0, max: 50 }', 'pull.search.from', '0 is too small'],
    ['{ max: 50 }', 'pull.search.from', '"from" is missing.'],
    ['{ from: 1, max: 9, repeats: 99 }', 'pull.search.repeats', 'at most 20 times'],
    ['{ from: 1, max: 9, precision: 0% }', 'pull.search.precision', 'too small'],
    ['{ from: 1, max: 9, measure: 0s }', 'pull.search.measure', 'The duration must be longer than 0.'],
    ['{ from: 1, max: 9, settel: 1s }', 'pull.search.settel', 'Did you mean "settle"?'],
  ])('is refused: %s', (search, path, sentence) => {
    const fault = faultOf(searching(search));
    expect(fault.path).toBe(path);
    expect(fault.sentence).toContain(sentence);
  });

  it('is read with the deprecated name of its largest audience, and written with the current one', () => {
    const { plan, warnings } = parsePlan(searching('{ from: 20, most: 1000 }'));
    expect(warnings.join()).toContain('"most" is deprecated. Write "max".');
    expect(planToYaml(plan)).toContain('search: { from: 20, max: 1000,');
  });

  it('defines viewers and length itself', () => {
    expect(faultOf(searching('{ from: 1, max: 9 }').replace('rate:', 'hold: 5s, rate:'))).toMatchObject({
      path: 'pull.hold',
    });
  });
});
