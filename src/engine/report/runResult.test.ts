import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runResult, type RunResult } from '../../contract/runResult';
import type { RunView, Verdict } from '../../domain/model/run';
import type { RunReader } from '../store';
import { openThousandViewers } from '../../../tests/support/reportRun';
import { resultOf } from './runResult';

let reader: RunReader;
let close: () => void;
beforeAll(() => {
  ({ reader, close } = openThousandViewers());
});
afterAll(() => close());

/** The result of the run with another view. */
function resultWith(changes: Partial<RunView>): RunResult {
  const view = { ...reader.view(), ...changes };
  const changed = new Proxy(reader, {
    get: (target, name) => {
      if (name === 'view') return () => view;
      const member = Reflect.get(target, name, target) as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  return resultOf(changed, 'r.fullhouse', null);
}
const results = (changes: Partial<RunView>): string[] =>
  resultWith(changes).expectations.map(({ id, result }) => `${id} ${result}`);

const verdictOf = (): Verdict => {
  const { verdict } = reader.view();
  if (!verdict) throw new Error('The run has no verdict.');
  return verdict;
};

describe('the result of a run for programs', () => {
  it('has every field of its schema and no others, whatever the verdict', () => {
    const names = ['pass', 'fail', 'inconclusive', 'stopped', 'interrupted'] as const;
    const views: Array<Partial<RunView>> = [
      ...names.map((verdict) => ({ verdict: { ...verdictOf(), verdict } })),
      { verdict: undefined, state: 'running', endedMs: undefined },
    ];
    for (const view of views) {
      const result = resultWith(view);
      expect(runResult.parse(result)).toEqual(result);
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
    }
  });

  it('says of each expectation what was expected, measured, when and where', () => {
    const result = resultWith({});
    expect(result).toMatchObject({
      schemaVersion: 1,
      id: 'thousand',
      name: 'Pull 1000 on the local lab',
      startedAt: '2026-11-22T15:20:31.000Z',
      headline: verdictOf().sentence,
    });
    // Degraded viewers are counted by the testers and by the origin.
    expect(result.expectations.map(({ id, node }) => [id, node])).toEqual([
      ...[
        ['connected', null],
        ['degraded', null],
        ['degraded', 'origin'],
        ['cpu', 'origin'],
        ['gcPause', 'origin'],
      ],
    ]);
    const [connected, degraded, , cpu] = result.expectations;
    expect(connected).toMatchObject({
      name: 'viewers connected >= 99 %',
      expected: { text: 'expected >= 99 %', comparison: '>=', value: 99, unit: '%' },
      measured: { value: 99.6, unit: '%' },
      ...{ result: 'met', node: null, audience: null },
    });
    const reason = verdictOf().reasons.find(({ expectation }) => expectation === 'degraded');
    expect(degraded).toMatchObject({
      result: 'failed',
      sentence: reason?.sentence,
      at: new Date(reason?.timeMs ?? 0).toISOString(),
      atS: ((reason?.timeMs ?? 0) - reader.view().startedMs) / 1000,
    });
    expect(degraded?.measured?.value).toBeGreaterThan(1);
    // The tester shares the machine.
    expect(cpu).toMatchObject({ result: 'inconclusive', node: 'origin', measured: { unit: '%' } });
  });

  it('agrees with the verdict about what an expectation proves', () => {
    const { reasons, findings = [] } = verdictOf();
    const onTester = reasons.map((reason) => ({ ...reason, causedBy: 'tester' as const }));
    expect(results({ verdict: { ...verdictOf(), verdict: 'inconclusive', reasons: onTester } })).toContain(
      'degraded inconclusive',
    );
    const lost = findings.map((finding) =>
      finding.expectation === 'connected' ? { ...finding, result: 'failed' as const } : finding,
    );
    const stopped = { ...verdictOf(), verdict: 'stopped' as const, findings: lost };
    expect(results({ verdict: stopped })).toContain('connected skipped');
    const missing = findings.map((finding) => ({ ...finding, result: 'missing' as const }));
    expect(new Set(results({ verdict: { ...verdictOf(), findings: missing } }))).toEqual(
      new Set(['connected inconclusive', 'degraded inconclusive', 'cpu inconclusive', 'gcPause inconclusive']),
    );
  });

  it('has a result for each audience, and for each node of a threshold', () => {
    const { plan, nodes, startedMs } = reader.view();
    const finding = { result: 'met', sentence: 'RTT.', expected: 'expected <= 50 ms', timeMs: startedMs } as const;
    const { expectations } = resultWith({
      plan: { ...plan, expect: {}, thresholds: [{ series: 'rttP95Ms', comparison: '<=', value: 50 }] },
      verdict: {
        ...verdictOf(),
        findings: [
          { ...finding, series: 'rttP95Ms', audience: 'WHEP cam', measured: 12 },
          { ...finding, series: 'rttP95Ms', node: nodes[1]?.id ?? '', measured: 14 },
        ],
      },
    });
    expect(expectations.map(({ id, audience, node, measured }) => [id, audience, node, measured?.value])).toEqual([
      ['rttP95Ms', 'WHEP cam', null, 12],
      ['rttP95Ms', null, 'audience', 14],
    ]);
    expect(expectations[0]).toMatchObject({ name: 'RTT p95 <= 50 ms: WHEP cam', measured: { unit: 'ms' } });
  });

  it('of an older version has no measured figure, and the same results as JUnit XML', () => {
    const { findings: _, ...old } = verdictOf();
    const { expectations } = resultWith({ verdict: old });
    expect(expectations.map(({ result, measured }) => [result, measured])).toEqual([
      ['met', null],
      ['failed', null],
      ['inconclusive', null],
      ['failed', null],
    ]);
  });
});
