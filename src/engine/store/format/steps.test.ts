import { describe, expect, it } from 'vitest';
import { testPlan, testView } from '../../../../tests/support/savedRun';
import { savedView } from './run';
import { migrated } from './steps';

/** A value of `meta` of a file of format 2, as it is read. */
function read(key: string, value: unknown): unknown {
  return JSON.parse(String(migrated('meta', [key, JSON.stringify(value)], 2)[1]));
}

const planned = (change: object): unknown => ({ plan: { pull: { viewers: 1, ...change } } });

describe('the step to format 3', () => {
  it.each([
    [{ realism: 'full' }, { fidelity: 'browser' }],
    [{ realism: 'lean' }, { fidelity: 'media-only' }],
    [{}, {}],
    [{ realism: 'other' }, { fidelity: 'other' }],
  ])('reads %o as %o', (old, now) => {
    expect(read('view', planned(old))).toEqual(planned(now));
  });

  it('renames it for each audience, and in the shape that repeats are found by', () => {
    expect(read('view', { plan: { also: [{ realism: 'full' }, {}] } })).toMatchObject({
      plan: { also: [{ fidelity: 'browser' }, {}] },
    });
    expect(read('summary', { planShape: 'whep full, 10 at 5/s, hold 2 s + whep, 1 at 1/s, hold 2 s' })).toEqual({
      planShape: 'whep browser, 10 at 5/s, hold 2 s + whep, 1 at 1/s, hold 2 s',
    });
  });

  it.each([['not JSON'], ['[1]'], ['{"plan":3}'], ['{"plan":{"pull":null,"also":[null]}}']])(
    'leaves %s to the schema',
    (value) => {
      expect(() => migrated('meta', ['view', value], 2)).not.toThrow();
      expect(migrated('meta', ['constructor', value], 2)).toEqual(['constructor', value]);
    },
  );
});

describe('the step to format 5', () => {
  const readRow = (table: string, values: readonly (string | number)[]): readonly unknown[] =>
    migrated(table, values, 4).map((value) =>
      typeof value === 'string' && /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : value,
    );

  it('reads gaps of 500 ms as stalls', () => {
    const old = {
      ...{ freezes: 2, frozenMs: 1300, degradedReason: 'freeze' },
      detail: {
        timeline: [
          { atMs: 1, name: 'freeze', forMs: 700 },
          { atMs: 2, name: 'degraded', reason: 'freeze' },
          { atMs: 3, name: 'degraded', reason: 'loss' },
        ],
        counters: { stalls: 4, brokenFrames: 1 },
      },
    };
    expect(readRow('viewer', ['one', 'pull-1', 1, 'connected', JSON.stringify(old)])[4]).toEqual({
      ...{ stalls: 2, stalledMs: 1300, degradedReason: 'stall' },
      detail: {
        timeline: [
          { atMs: 1, name: 'stall', forMs: 700 },
          { atMs: 2, name: 'degraded', reason: 'stall' },
          { atMs: 3, name: 'degraded', reason: 'loss' },
        ],
        counters: { rebufferings: 4, brokenFrames: 1 },
      },
    });
  });

  it('renames the series wherever a run has it', () => {
    const of = (series: string) => ({
      plan: { thresholds: [{ series }], stopWhen: [{ what: series }] },
      verdict: { reasons: [{ series }] },
      layout: { layout: { custom: [{ series: [series, 'cpuPercent'] }] } },
    });
    expect(readRow('meta', ['view', JSON.stringify(of('freezesTotal'))])[1]).toEqual(of('stallsTotal'));
    expect(readRow('series', [1, 'one', 'freezesTotal'])).toEqual([1, 'one', 'stallsTotal']);
    expect(readRow('figures', [JSON.stringify([{ series: 'freezesTotal' }])])[0]).toEqual([{ series: 'stallsTotal' }]);
  });
});

describe('the step to format 4', () => {
  const readRow = (table: string, values: readonly (string | number)[]): readonly unknown[] =>
    migrated(table, values, 3).map((value) =>
      typeof value === 'string' && /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : value,
    );

  it('renames fields, series, rules and causes of a view', () => {
    const queries = { originAnswerMs: 'q', 'server:own': 'r' };
    const now = { originResponseMs: 'q', 'server:own': 'r' };
    const old = {
      plan: {
        nodes: { origin: { server: 'generic', queries } },
        pull: { search: { mostViewers: 9 } },
        also: [{ search: { mostViewers: 8 } }, {}],
        thresholds: [{ series: 'originAnswerMs@server' }],
        stopWhen: [{ what: 'testerFailedHere' }, { what: 'degraded' }],
      },
      nodes: [{ settings: { queries }, remedy: 'edit', answerMs: 7 }],
      figures: { rateAsked: 5 },
      failures: [{ cause: 'goodbye' }, { cause: 'silent' }],
      preflight: { findings: ['tester.strength', 'tester.together', 'host.aes'].map((rule) => ({ rule })) },
      limit: { held: 1, broke: 2, gaveOut: { what: 'tester' } },
      verdict: { room: ['CPU'], reasons: [{ series: 'arrivalRateAsked' }] },
      earlyEnd: { kind: 'person' },
      imported: { queries },
      layout: { layout: { custom: [{ series: ['arrivalRateAsked', 'load1'] }] } },
    };
    expect(readRow('meta', ['view', JSON.stringify(old)])[1]).toEqual({
      plan: {
        nodes: { origin: { server: 'generic', queries: now } },
        pull: { search: { maxViewers: 9 } },
        also: [{ search: { maxViewers: 8 } }, {}],
        thresholds: [{ series: 'originResponseMs@server' }],
        stopWhen: [{ what: 'viewersFailedOnTester' }, { what: 'degraded' }],
      },
      nodes: [{ settings: { queries: now }, fix: 'edit', responseMs: 7 }],
      figures: { rateTarget: 5 },
      failures: [{ cause: 'rtcp-bye' }, { cause: 'silent' }],
      preflight: { findings: ['tester.capacity', 'tester.shared-host', 'host.aes'].map((rule) => ({ rule })) },
      limit: { maxMet: 1, minMissed: 2, bottleneck: { what: 'tester' } },
      verdict: { headroom: ['CPU'], reasons: [{ series: 'arrivalRateTarget' }] },
      earlyEnd: { kind: 'user' },
      imported: { queries: now },
      layout: { layout: { custom: [{ series: ['arrivalRateTarget', 'load1'] }] } },
    });
  });

  it('renames states, causes and timelines of viewers, marks of events, and series of figures', () => {
    const entries = [{ name: 'degraded', because: 'loss' }, { name: 'leaving' }, { name: 'left' }];
    const old = {
      state: 'left',
      degradedBecause: 'loss',
      failure: { cause: 'goodbye' },
      detail: { timeline: entries },
    };
    expect(readRow('viewer', ['tester', 'job', 1, 'left', JSON.stringify(old)])).toEqual([
      ...['tester', 'job', 1, 'disconnected'],
      {
        state: 'disconnected',
        degradedReason: 'loss',
        failure: { cause: 'rtcp-bye' },
        detail: {
          timeline: [{ name: 'degraded', reason: 'loss' }, { name: 'disconnecting' }, { name: 'disconnected' }],
        },
      },
    ]);
    expect(readRow('event', [1, 2, '{"mark":"back"}'])).toEqual([1, 2, { mark: 'recovered' }]);
    expect(readRow('figures', ['[{"series":"originAnswerMs"}]'])).toEqual([[{ series: 'originResponseMs' }]]);
    expect(readRow('viewer', ['tester', 'job', 1, 'later', 'not JSON'])).toEqual([
      'tester',
      'job',
      1,
      'later',
      'not JSON',
    ]);
  });
});

it('a run with an invalid layout opens with the default one', () => {
  const view = {
    ...testView('old'),
    layout: { layout: { order: ['no such chart'], custom: [], hidden: [], folded: [] } },
  };
  expect(savedView.parse(view).layout).toBeUndefined();
});

it('unknown fields of a saved run are ignored', () => {
  const view = testView('later');
  const later = { ...view, later: 1, plan: { ...testPlan, later: 2, pull: { ...testPlan.pull, later: { a: 3 } } } };
  expect(savedView.parse(later)).toEqual(view);
});
