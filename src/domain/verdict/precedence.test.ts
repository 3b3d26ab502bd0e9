import { describe, expect, it } from 'vitest';
import type { ReasonCause, VerdictName } from '../model/run';
import type { Finding, Influence } from '../evidence/evidence';
import { decide, type Evidence } from './precedence';
import { between, judge, node, startMs, viewOf } from '../../../tests/support/verdictRun';

const finding = (
  result: Finding['result'],
  sentence: string,
  timeMs: number,
  more: Partial<Finding> = {},
): Finding => ({
  ...{ result, sentence, timeMs, expected: '' },
  ...more,
});
const influence = (cause: Influence['cause'], timeMs: number): Influence => ({
  ...{ cause, timeMs, sentence: `${cause} limit`, expected: '' },
});
const tester = influence('tester', 20);
const machine = influence('machine', 30);
const met = finding('met', 'met', 0);
const missed = finding('failed', 'origin CPU', 40);
const few = finding('failed', 'too few', 10, { expectation: 'connected' });
const missing = finding('missing', 'no data', 0);
const lostTesters = [{ node: 'a', timeMs: 15, sentence: 'tester lost' }];
const lostOrigins = [{ node: 'o', timeMs: 25, sentence: 'origin lost' }];
const invalidated = (by: readonly Influence[], of: Finding = few): Finding => ({ ...of, invalidatedBy: by });

type Case = readonly [
  name: string,
  evidence: Partial<Evidence>,
  verdict: VerdictName,
  first: ReasonCause | undefined,
  reasons: readonly string[],
];
const cases: readonly Case[] = [
  ['everything met', { findings: [met] }, 'pass', undefined, []],
  ['nothing expected', { findings: [] }, 'pass', undefined, []],
  ['missed by the origin', { findings: [met, missed] }, 'fail', 'origin', ['origin CPU']],
  [
    'several missed by the origin: in the order of time',
    { findings: [missed, few] },
    'fail',
    'origin',
    ['too few', 'origin CPU'],
  ],
  [
    'missed by the origin, and something else invalidated by a tester before it',
    { findings: [invalidated([tester]), missed] },
    'fail',
    'origin',
    ['origin CPU', 'tester limit', 'too few'],
  ],
  [
    'invalidated by a tester',
    { findings: [met, invalidated([tester])] },
    'inconclusive',
    'tester',
    ['tester limit', 'too few'],
  ],
  [
    'CPU of the origin invalidated by a tester',
    { findings: [invalidated([tester], missed)] },
    'inconclusive',
    'tester',
    ['tester limit', 'origin CPU'],
  ],
  [
    'invalidated by a busy machine and by a tester: the machine first, whatever the time',
    { findings: [invalidated([tester]), invalidated([machine, tester], missed)] },
    'inconclusive',
    'machine',
    ['machine limit', 'tester limit', 'too few', 'origin CPU'],
  ],
  [
    'invalidated, and something else not measured',
    { findings: [invalidated([machine]), missing] },
    'inconclusive',
    'machine',
    ['machine limit', 'too few', 'no data'],
  ],
  ['not measured', { findings: [met, missing] }, 'inconclusive', 'unmeasured', ['no data']],
  [
    'missed by the origin, and something else not measured',
    { findings: [missing, missed] },
    'fail',
    'origin',
    ['origin CPU', 'no data'],
  ],
  ['a default not measured', { findings: [met, finding('skipped', 'no data', 0)] }, 'pass', undefined, []],
  [
    'nothing measured at all',
    { findings: [finding('skipped', 'no data', 0), finding('inapplicable', 'no collector', 0)] },
    'inconclusive',
    'unmeasured',
    ['no data', 'no collector'],
  ],
  [
    'a lost tester outweighs what its viewers missed',
    { findings: [few, missed], lostTesters },
    'inconclusive',
    'tester-lost',
    ['tester lost', 'too few', 'origin CPU'],
  ],
  [
    'a lost origin outweighs a lost tester',
    { findings: [few], lostTesters, lostOrigins },
    'fail',
    'origin-lost',
    ['origin lost', 'tester lost', 'too few'],
  ],
  [
    'a lost origin outweighs a limit of a tester',
    { findings: [invalidated([tester])], lostOrigins },
    'fail',
    'origin-lost',
    ['origin lost', 'tester limit', 'too few'],
  ],
  [
    'stopped by the user: missing viewers and data are not counted',
    { findings: [few, missed, missing], isStopped: true },
    'stopped',
    'origin',
    ['origin CPU'],
  ],
];

it('of a run that was stopped a busy machine or a tester at its limit is a note, not a reason', () => {
  const cpu = invalidated([machine], finding('failed', 'CPU', 40, { expectation: 'cpu' }));
  const twice = [cpu, { ...cpu, timeMs: 50 }];
  const { verdict, deciding, others, notes } = decide({ isStopped: true, findings: [...twice, missed], lostTesters });
  expect({ verdict, deciding }).toEqual({ verdict: 'stopped', deciding: [] });
  expect(others.map(({ sentence }) => sentence)).toEqual(['tester lost', 'origin CPU']);
  expect(notes?.map(({ sentence }) => sentence)).toEqual(['machine limit', 'CPU']);
});

describe('the precedence of verdicts', () => {
  it.each(cases)('%s', (_, evidence, verdict, first, reasons) => {
    const decision = decide({ isStopped: false, findings: [], ...evidence });
    const allReasons = [...decision.deciding, ...decision.others];
    expect(decision.verdict).toBe(verdict);
    expect(allReasons.map(({ sentence }) => sentence)).toEqual(reasons);
    expect(allReasons[0]?.causedBy).toBe(first);
  });

  it('separates a fail of the origin from an earlier limit of the tester', () => {
    const verdict = judge({
      'tester viewersDegraded': between(20, 30, 38, 0),
      'tester cpuPercent': between(18, 30, 99, 30),
      'origin cpuPercent': between(40, 60, 97, 50),
    });
    expect(verdict.verdict).toBe('fail');
    expect(verdict.reasons.map(({ causedBy }) => causedBy)).toEqual(['origin', 'tester', 'tester']);
    expect(verdict.sentence).toContain('CPU of origin exceeded its limit');
  });
});

describe('CPU of a machine that origin and tester share', () => {
  const machine = { system: 'linux', kernel: '', cpuModel: '', cores: 2, memoryBytes: 8e9, versions: {} };
  const shared = viewOf({
    nodes: [
      { ...node('origin', 'origin', 'a'), machine },
      { ...node('tester', 'tester', 'a'), machine },
    ],
  });

  it('over its limit only because of the tester is no fail of the origin', () => {
    const verdict = judge(
      { 'origin cpuPercent': between(40, 60, 97, 50), 'tester processCpuPercent': between(38, 60, 120, 30) },
      shared,
    );
    expect(verdict).toMatchObject({
      verdict: 'inconclusive',
      reasons: [
        {
          causedBy: 'tester',
          sentence: 'tester used 60 % of the CPU of the machine shared with origin.',
          timeMs: startMs + 43_000,
        },
        { causedBy: 'tester', expectation: 'cpu' },
      ],
    });
  });

  it('over its limit without the tester is a fail of the origin', () => {
    const curves = {
      'origin cpuPercent': between(40, 60, 97, 50),
      'tester processCpuPercent': between(38, 60, 20, 20),
    };
    expect(judge(curves, shared)).toMatchObject({ verdict: 'fail', reasons: [{ causedBy: 'origin' }] });
  });

  it('over its limit while the tester was at its own, its share unknown, is no fail of the origin', () => {
    const curves = {
      'origin cpuPercent': between(40, 60, 97, 50),
      'tester testerReaderWaitPercent': between(38, 62, 60, 2),
    };
    const verdict = judge(curves, shared);
    expect(verdict.verdict).toBe('inconclusive');
    expect(verdict.reasons.map(({ causedBy, expectation }) => [causedBy, expectation])).toEqual([
      ['tester', undefined],
      ['tester', 'cpu'],
    ]);
  });
});

describe('events during the run', () => {
  const lostOrigins = [
    {
      node: 'origin',
      timeMs: startMs + 13_400,
      sentence: 'lab (origin) stopped responding at 00:00:13.',
      detail: 'Killed.',
    },
  ];

  it('an origin that stopped responding is the first reason, and never a pass', () => {
    const verdict = judge({}, viewOf(), undefined, { lostOrigins });
    expect(verdict).toMatchObject({
      verdict: 'fail',
      sentence: '1,000 of 1,000 viewers connected; lab (origin) stopped responding at 00:00:13.',
      reasons: [{ number: 1, node: 'origin', sentence: 'lab (origin) stopped responding at 00:00:13. Killed.' }],
    });
  });

  it("a tester's problem after its origin stopped responding is not a limit of the tester", () => {
    const curves = { 'tester cpuPercent': between(5, 10, 99, 30) };
    const late = { 'tester cpuPercent': between(20, 40, 99, 30), 'tester viewersConnected': () => 100 };
    const early = judge({ ...curves, 'tester viewersConnected': () => 100 }, viewOf(), undefined, {
      lostOrigins,
    });
    expect(early.reasons.map(({ causedBy }) => causedBy)).toEqual(['origin-lost', 'tester', 'tester']);
    const after = judge(late, viewOf(), undefined, { lostOrigins });
    expect(after.reasons.map(({ causedBy }) => causedBy)).toEqual(['origin-lost', 'origin']);
  });

  it('a stop condition of the plan fails a run that met all else, unless a tester invalidated its figure', () => {
    const stopCondition = {
      ...{
        timeMs: startMs + 41_000,
        sentence: 'Stop condition reached: too many degraded.',
        expected: 'stop at 20 %',
      },
      isOfViewers: true,
    };
    expect(judge({}, viewOf(), undefined, { stopCondition })).toMatchObject({
      verdict: 'fail',
      sentence: stopCondition.sentence,
    });
    const limited = { 'tester cpuPercent': between(38, 50, 99, 30) };
    expect(judge(limited, viewOf(), undefined, { stopCondition })).toMatchObject({
      verdict: 'inconclusive',
      reasons: [{ causedBy: 'tester' }, { sentence: stopCondition.sentence }],
    });
  });
});
