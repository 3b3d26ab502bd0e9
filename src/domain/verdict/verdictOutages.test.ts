import { describe, expect, it } from 'vitest';
import { defaultExpectations, type Expectations, type Audience } from '../model/plan';
import type { PublisherOutage } from '../model/publisherOutage';
import type { RunView, Verdict } from '../model/run';
import type { JudgedRun } from '../evidence/evidence';
import {
  endSeconds,
  healthy,
  startMs,
  valuesOf,
  viewOf,
  type Curve,
  type Curves,
} from '../../../tests/support/verdictRun';
import { judgeRun } from './verdict';
import { audienceIn } from '../../../tests/support/pullPlan';

const at = (second: number): number => startMs + 1000 * second;
const expectations: Expectations = { connected: { comparison: '>=', value: 99 }, outages: defaultExpectations.outages };
const strict = (seconds: number): Expectations => ({ ...expectations, outages: { comparison: '<=', value: seconds } });

interface Case extends Partial<Omit<JudgedRun, 'values' | 'view'>> {
  readonly curves?: Curves;
  readonly pull?: Partial<Audience>;
  readonly also?: readonly Audience[];
  readonly expect?: Expectations;
  readonly view?: Partial<RunView>;
}

/** 1,000 viewers, all connected from 10 s to 70 s. */
function judge({ curves = {}, pull, also, expect: own = expectations, view: changes, ...run }: Case): Verdict {
  const base = viewOf(changes, own);
  const plan = { ...base.plan, pull: { ...audienceIn(base.plan), ...pull }, ...(also ? { also } : {}) };
  return judgeRun({ view: { ...base, plan }, values: valuesOf({ ...healthy, ...curves }), ...run }).verdict;
}

const full: Curve = (second) => Math.min(1000, second * 100);
const lost =
  (from: number, to: number, lowest = 0, of: Curve = full): Curve =>
  (second) =>
    second >= from && second < to ? lowest : of(second);
const outage = (from: number, to: number, lowest = 0): Curves => ({
  'tester viewersConnected': lost(from, to, lowest),
});
const sentences = ({ reasons }: Verdict): string[] => reasons.map(({ sentence }) => sentence);

describe('an outage', () => {
  it('fails a run whose viewers do not connect again, with its length, its lowest count and its time', () => {
    const verdict = judge({ curves: outage(20, 54, 12) });
    expect(verdict).toMatchObject({
      verdict: 'fail',
      sentence:
        '1,000 of 1,000 viewers connected; 1 outage: 34 s from 00:00:20 on, fewest 12 of 1,000 viewers at 00:00:20.',
      reasons: [{ expectation: 'outages', expected: 'expected <= 5 s', timeMs: at(20), causedBy: 'origin' }],
      outages: {
        ...{ count: 1, sumMs: 34_000, longestMs: 34_000, heldMs: 60_000 },
        worst: { fromMs: at(20), toMs: at(54), lowest: 12, lowestMs: at(20), requested: 1000 },
      },
    });
    // The figure at the end of the hold is unchanged.
    expect(verdict.headroom[0]).toBe('1,000 of 1,000 viewers were connected at the end of the hold, 100 %.');
  });

  it('that is short is named in a run that passes', () => {
    const verdict = judge({ curves: { 'tester viewersConnected': lost(20, 23, 0, lost(40, 45, 500)) } });
    expect(verdict.sentence).toBe(
      'All 1,000 viewers connected within 10.0 s; all expectations met, with 2 outages, the longest 5 s.',
    );
    expect(verdict.headroom[1]).toBe(
      '2 outages, 8 s in total, the longest 5 s from 00:00:40 on; fewest 0 of 1,000 viewers at 00:00:20.',
    );
  });

  it('of viewers that reconnect is a note, with all reconnections', () => {
    const reconnects: Curve = (second) => (second < 30 ? 0 : second < 50 ? 1000 : 2984);
    const curves = { ...outage(20, 54), 'tester reconnectsTotal': reconnects };
    const verdict = judge({ curves, pull: { reconnect: true } });
    expect(verdict).toMatchObject({
      verdict: 'pass',
      sentence:
        'All 1,000 viewers connected within 10.0 s; all expectations met, with 1 outage of 34 s, and 2,984 reconnections.',
      notes: [
        {
          sentence:
            '1 outage: 34 s from 00:00:20 on, fewest 0 of 1,000 viewers at 00:00:20. 2,984 reconnections. Not judged: the viewers reconnect.',
        },
      ],
    });
    expect(judge({ curves, pull: { reconnect: true }, expect: strict(30) }).verdict).toBe('fail');
    expect(judge({ curves, pull: { reconnect: true }, expect: strict(40) }).verdict).toBe('pass');
  });

  it('decides nothing where outages are off, and is reported', () => {
    const { connected } = defaultExpectations;
    const verdict = judge({ curves: outage(20, 54), expect: { connected } });
    expect(verdict.verdict).toBe('pass');
    expect(verdict.sentence).toContain('with 1 outage of 34 s');
    expect(verdict.notes).toHaveLength(1);
    expect(judge({ expect: { connected } }).notes).toBeUndefined();
  });

  it('is judged by the share that `connected` demands', () => {
    const connected = { comparison: '>=', value: 50 } as const;
    expect(judge({ curves: outage(20, 54, 500), expect: { ...expectations, connected } }).outages?.count).toBe(0);
    expect(judge({ curves: outage(20, 54, 499), expect: { ...expectations, connected } }).verdict).toBe('fail');
  });

  it('to the end of the hold is one reason together with the viewers that are missing', () => {
    const verdict = judge({ curves: outage(30, 99, 260) });
    expect(sentences(verdict)).toEqual([
      '260 of 1,000 viewers were connected at the end of the hold, 26 %, too few from 00:00:30 on.',
    ]);
    expect(verdict.outages?.list).toMatchObject([{ fromMs: at(30), toMs: at(70), isUntilEnd: true }]);
  });

  it('does not begin after a stop by the user', () => {
    const stopped = judge({ curves: outage(30, 99), stoppedMs: at(30) });
    expect(stopped.outages?.count).toBe(0);
    const before = judge({ curves: { 'tester viewersConnected': lost(20, 29, 0, lost(40, 99)) }, stoppedMs: at(40) });
    expect(before.verdict).toBe('stopped');
    expect(before.sentence).toContain('until then, with 1 outage of 9 s.');
  });

  it('of an origin that was lost is no further reason', () => {
    const lostOrigins = [{ node: 'origin', timeMs: at(40), sentence: 'origin stopped responding at 00:00:40.' }];
    const verdict = judge({ curves: outage(38, 60), runEvents: { lostOrigins } });
    expect(verdict.verdict).toBe('fail');
    expect(sentences(verdict)).toEqual(['origin stopped responding at 00:00:40.']);
  });
});

describe('an outage that something else explains', () => {
  const busy: Curves = {
    'origin cpuPercent': () => 97,
    'origin otherCpuPercent': (second) => (second >= 15 && second < 30 ? 80 : 1),
  };

  it('belongs to the other programs of a busy machine', () => {
    const verdict = judge({ curves: { ...outage(20, 40), ...busy } });
    expect(verdict.verdict).toBe('inconclusive');
    expect(verdict.reasons.map(({ causedBy }) => causedBy)).toEqual(['machine', 'machine']);
    expect(sentences(verdict)[1]).toContain('It may have been caused by other programs on a machine.');
    expect(verdict.outages?.list[0]?.causedBy).toBe('machine');
  });

  it('does not excuse another one', () => {
    const verdict = judge({ curves: { ...busy, 'tester viewersConnected': lost(20, 28, 0, lost(50, 60)) } });
    expect(verdict.verdict).toBe('fail');
    expect(verdict.reasons[0]).toMatchObject({ expectation: 'outages', timeMs: at(50) });
    expect(sentences(verdict)[0]).toContain('1 of them may have been caused by other programs on a machine.');
  });

  it('is not explained by a machine that was busy only later', () => {
    expect(
      judge({
        curves: {
          ...busy,
          'tester viewersConnected': lost(12, 60),
          'origin otherCpuPercent': (s) => (s >= 25 ? 80 : 1),
        },
      }).verdict,
    ).toBe('fail');
  });

  it('belongs to a tester at its own limit', () => {
    const verdict = judge({ curves: { ...outage(30, 45), 'tester cpuPercent': (s) => (s >= 22 && s < 40 ? 99 : 30) } });
    expect(verdict.verdict).toBe('inconclusive');
    expect(verdict.reasons.map(({ causedBy }) => causedBy)).toEqual(['tester', 'tester']);
  });

  it('is not caused by the origin where its tester stopped', () => {
    const lostTesters = [{ node: 'tester', timeMs: at(31), sentence: 'tester: its agent was ended.' }];
    const verdict = judge({ curves: outage(30, 60), runEvents: { lostTesters } });
    expect(verdict.verdict).toBe('inconclusive');
    expect(sentences(verdict)).toEqual(['tester: its agent was ended.']);
  });
});

describe('gaps', () => {
  const gap: Curves = {
    'tester viewersConnected': (second) => (second >= 30 && second < 42 ? undefined : full(second)),
  };

  it('are reported, and decide nothing by default', () => {
    const verdict = judge({ curves: gap });
    expect(verdict.verdict).toBe('pass');
    expect(verdict.notes?.map(({ sentence }) => sentence)).toEqual([
      'No outage in the 47 s of the hold with data. No data for 13 s: not judged.',
    ]);
    expect(verdict.outages?.gaps).toMatchObject({ count: 1, sumMs: 13_000, longestMs: 13_000 });
  });

  it('longer than the limit of a plan are no result', () => {
    expect(judge({ curves: gap, expect: strict(5) }).verdict).toBe('inconclusive');
    expect(judge({ curves: gap, expect: strict(20) }).verdict).toBe('pass');
  });
});

describe('several audiences', () => {
  const also: Audience = {
    ...{ stream: 'cam', from: 'origin', by: ['tester'], protocol: 'hls', viewers: 500, ratePerSecond: 100 },
    holdMs: 20_000,
  };
  const runOf = (first: Curve, second: Curve, pull: Partial<Audience> = {}): Verdict =>
    judge({
      also: [also],
      pull,
      curves: { 'audience:1 viewersConnected': first, 'audience:2 viewersConnected': second },
      audienceStarts: { 'audience:1': at(10), 'audience:2': at(15) },
      audienceEnds: { 'audience:1': at(70), 'audience:2': at(35) },
    });
  const short: Curve = (second) => (second < 35 ? Math.min(500, second * 50) : 0);

  it('are judged over the hold of each: one that ended earlier has no outage', () => {
    const verdict = runOf(full, short);
    expect(verdict.verdict).toBe('pass');
    expect(verdict.outages).toMatchObject({ count: 0, heldMs: 80_000 });
    expect(verdict.headroom.filter((each) => each.includes('outage'))).toEqual(['No outage of 2 audiences.']);
    // It is not about the first of them.
    const [all, ...others] = verdict.findings?.filter(({ expectation }) => expectation === 'outages') ?? [];
    expect(others).toEqual([]);
    expect(all).not.toHaveProperty('audience');
  });

  it('have a sentence of their own beside one that is shared', () => {
    const verdict = judge({
      also: [{ ...also, label: 'one' }, also],
      curves: {
        ...{ 'audience:1 viewersConnected': full, 'audience:2 viewersConnected': lost(20, 30, 0, () => 500) },
        'audience:3 viewersConnected': () => 500,
      },
      audienceStarts: { 'audience:1': at(10), 'audience:2': at(10), 'audience:3': at(10) },
      audienceEnds: { 'audience:1': at(70), 'audience:2': at(70), 'audience:3': at(70) },
    });
    const findings = verdict.findings?.filter(({ expectation }) => expectation === 'outages') ?? [];
    expect(findings.map(({ audience, sentence }) => [audience, sentence.split('.')[0]])).toEqual([
      [undefined, 'No outage of 2 of 3 audiences'],
      ['one', '1 outage of one: 10 s from 00:00:20 on, fewest 0 of 500 viewers at 00:00:20'],
    ]);
  });

  it('share a sentence if there are many whose viewers were all connected', () => {
    const all = [1, 2, 3, 4, 5].map((place) => `audience:${place}`);
    const verdict = judge({
      also: [also, also, also, also],
      curves: Object.fromEntries(all.map((id) => [`${id} viewersConnected`, id === 'audience:1' ? full : () => 500])),
      audienceStarts: Object.fromEntries(all.map((id) => [id, at(10)])),
      audienceEnds: Object.fromEntries(all.map((id) => [id, at(70)])),
    });
    expect(verdict.headroom.slice(0, 2)).toEqual([
      'All viewers of 5 audiences were connected at the end of their holds.',
      'No outage of 5 audiences.',
    ]);
    expect(verdict.findings?.filter(({ expectation }) => expectation === 'connected').length).toBe(5);
  });

  it('name the audience, and count what all of them had once', () => {
    const verdict = runOf(lost(20, 30), lost(22, 33, 0, short));
    expect(verdict.verdict).toBe('fail');
    expect(sentences(verdict)).toEqual([
      '1 outage of WHEP cam: 10 s from 00:00:20 on, fewest 0 of 1,000 viewers at 00:00:20.',
      '1 outage of HLS cam: 11 s from 00:00:22 on, fewest 0 of 500 viewers at 00:00:22.',
    ]);
    expect(verdict.outages).toMatchObject({ count: 1, sumMs: 13_000, longestMs: 13_000 });
    expect(verdict.outages?.audiences?.map(({ name, count, sumMs }) => [name, count, sumMs])).toEqual([
      ['WHEP cam', 1, 10_000],
      ['HLS cam', 1, 11_000],
    ]);
  });

  it('are judged each by its own profile: levels of one, the hold of the other', () => {
    const stages: Audience['stages'] = [
      { kind: 'ramp', viewers: 1000, overMs: 10_000 },
      { kind: 'hold', forMs: 60_000 },
    ];
    const runWith = (second: Curve): Verdict =>
      judge({
        also: [also],
        pull: { stages },
        curves: {
          ...{ 'audience:1 viewersRequested': full, 'audience:1 viewersConnected': full },
          ...{ 'audience:2 viewersRequested': short, 'audience:2 viewersConnected': second },
        },
        audienceStarts: { 'audience:1': at(10), 'audience:2': at(15) },
        audienceEnds: { 'audience:1': at(70), 'audience:2': at(35) },
      });
    expect(runWith(short)).toMatchObject({
      verdict: 'pass',
      headroom: expect.arrayContaining([
        'All 1,000 viewers of WHEP cam were connected at the end of their level.',
        '500 of 500 viewers of HLS cam were connected at the end of its hold, 100 %.',
      ]) as unknown,
    });
    const verdict = runWith(() => 0);
    expect(verdict.verdict).toBe('fail');
    expect(sentences(verdict)).toEqual(['0 of 500 viewers of HLS cam were connected at the end of its hold, 0 %.']);
  });

  it('fail where all viewers of one failed before it had a sample', () => {
    const failures: RunView['failures'] = [
      {
        ...{ audience: 'HLS cam', tester: 'tester', stage: 'signalling', cause: 'http-404', count: 500 },
        example: { viewer: 1, timeMs: at(11), detail: '404' },
      },
    ];
    const runWith = (count: number): Verdict =>
      judge({
        also: [also],
        view: { failures: failures.map((failure) => ({ ...failure, count })) },
        curves: { 'audience:1 viewersConnected': full, 'audience:2 viewersConnected': () => undefined },
        audienceEnds: { 'audience:1': at(70), 'audience:2': at(12) },
      });
    expect(runWith(500)).toMatchObject({
      verdict: 'fail',
      reasons: [{ sentence: expect.stringContaining('0 of 500 viewers of HLS cam were connected') as unknown }],
    });
    expect(runWith(499).reasons[0]?.sentence).toBe('No data from HLS cam at the end of the hold.');
  });

  it('beside a search are notes: it exceeds what the origin can serve on purpose', () => {
    const search = {
      fromViewers: 100,
      maxViewers: 1000,
      settleMs: 1000,
      measureMs: 1000,
      repeats: 1,
      precisionPercent: 10,
    };
    const verdict = judge({
      also: [also],
      pull: { search },
      curves: { 'audience:1 viewersConnected': full, 'audience:2 viewersConnected': () => 0 },
      audienceStarts: { 'audience:1': at(10), 'audience:2': at(15) },
      audienceEnds: { 'audience:1': at(70), 'audience:2': at(35) },
    });
    expect(verdict.sentence).toBe('The search has no result.');
    expect(verdict.notes?.map(({ sentence }) => sentence)).toEqual([
      '0 of 500 viewers of HLS cam were connected at the end of its hold, 0 %.',
    ]);
  });

  it('fail by one that does not reconnect beside one that does', () => {
    expect(runOf(lost(20, 30), short, { reconnect: true }).verdict).toBe('pass');
    expect(runOf(full, lost(20, 30, 0, short), { reconnect: true }).verdict).toBe('fail');
  });
});

describe('stages', () => {
  const stages: Audience['stages'] = [
    { kind: 'ramp', viewers: 500, overMs: 10_000 },
    { kind: 'hold', forMs: 20_000 },
    { kind: 'ramp', viewers: 1000, overMs: 10_000 },
    { kind: 'hold', forMs: 30_000 },
  ];
  const wanted: Curve = (s) => (s < 10 ? 50 * s : s < 30 ? 500 : s < 40 ? 500 + 50 * (s - 30) : 1000);
  const phases: RunView['phases'] = [
    { name: 'ramp', startMs: at(0), endMs: at(10) },
    { name: 'hold', startMs: at(10), endMs: at(30) },
    { name: 'ramp', startMs: at(30), endMs: at(40) },
    { name: 'hold', startMs: at(40), endMs: at(endSeconds) },
  ];
  const staged = (connected: Curve): Verdict =>
    judge({
      pull: { stages },
      view: { phases },
      curves: { 'tester viewersRequested': wanted, 'tester viewersConnected': connected },
    });

  it('have outages only where a size is held', () => {
    const late: Curve = (second) => wanted(second - 1);
    expect(staged(late).outages).toMatchObject({ count: 0 });
    // From the ramp on until long after it.
    expect(staged(lost(28, 36, 100, wanted)).outages?.count).toBe(0);
    expect(staged(lost(15, 22, 480, wanted)).outages).toMatchObject({
      count: 1,
      sumMs: 7000,
      worst: { requested: 500 },
    });
    expect(staged(lost(50, 60, 980, wanted)).verdict).toBe('fail');
  });
});

describe('a publisher that ended', () => {
  const away = (from: number, to?: number, more: Partial<PublisherOutage> = {}): Partial<RunView> => ({
    publisherOutages: [
      {
        ...{ node: 'origin', by: 'tester', stream: 'cam', fromMs: at(from), reason: 'The server closed the session.' },
        ...(to === undefined ? {} : { toMs: at(to) }),
        ...more,
      },
    ],
  });
  /** All viewers fail 10 s after the media ended, and never connect again. */
  const failing: Curves = {
    'tester viewersConnected': lost(30, 99),
    'tester viewersFailed': (second) => (second >= 30 ? 1000 : 0),
  };

  it('is the reason for the viewers that failed without media', () => {
    const verdict = judge({ curves: failing, view: away(20, 32.4) });
    expect(verdict.verdict).toBe('inconclusive');
    expect(verdict.sentence).toContain(
      'the publication of cam to origin by tester was interrupted at 00:00:20 for 12 s: The server closed the session.',
    );
    expect(verdict.reasons[0]).toMatchObject({ causedBy: 'publisher', node: 'tester', timeMs: at(20) });
    expect(verdict.outages?.list[0]?.causedBy).toBe('publisher');
  });

  it('is not the reason where the server was gone too', () => {
    const verdict = judge({ curves: failing, view: away(20, 32.4, { isOriginLost: true }) });
    expect(verdict.verdict).toBe('fail');
    expect(verdict.outages?.list[0]?.causedBy).toBeUndefined();
  });

  it('is not the reason for viewers that failed long before or after it', () => {
    expect(judge({ curves: failing, view: away(40, 45) }).verdict).toBe('fail');
    expect(judge({ curves: failing, view: away(12, 15) }).verdict).toBe('fail');
  });

  it('is not the reason for viewers of another stream', () => {
    expect(judge({ curves: failing, view: away(20, 32.4, { stream: 'other' }) }).verdict).toBe('fail');
  });

  it('explains an outage of viewers that reconnect until they are back, and no longer', () => {
    const reconnecting = (to: number): Verdict =>
      judge({ curves: outage(28, to), pull: { reconnect: true }, expect: strict(5), view: away(20, 25) });
    expect(reconnecting(44).verdict).toBe('inconclusive');
    expect(reconnecting(54).verdict).toBe('fail');
  });

  it('of several explains the viewers of its share', () => {
    const some = (lowest: number): Verdict =>
      judge({ curves: outage(25, 40, lowest), view: away(20, 30, { publishers: { lost: 2, of: 10 } }) });
    expect(some(800).verdict).toBe('inconclusive');
    expect(some(700).verdict).toBe('fail');
  });

  it('is a note where all expectations are met anyway', () => {
    const verdict = judge({ view: away(20, 21.2) });
    expect(verdict.verdict).toBe('pass');
    expect(verdict.notes?.map(({ sentence }) => sentence)).toEqual([
      'The publication of cam to origin by tester was interrupted at 00:00:20 for 1.2 s: The server closed the session.',
    ]);
  });

  it('and was not published again is a reason by itself, once', () => {
    const alone = judge({ view: away(60) });
    expect(alone.verdict).toBe('inconclusive');
    expect(sentences(alone)).toEqual([
      'The publication of cam to origin by tester ended at 00:01:00 and was not published again: The server closed the session.',
    ]);
    const withViewers = judge({ curves: failing, view: away(20) });
    expect(withViewers.verdict).toBe('inconclusive');
    expect(withViewers.reasons.filter(({ causedBy }) => causedBy === 'publisher').map(({ number }) => number)).toEqual([
      1, 2,
    ]);
  });

  it('is not the reason where viewers of another stream were lost too, or publishers of another tester', () => {
    const also: Audience = { ...audienceIn(viewOf().plan), stream: 'other', protocol: 'hls' };
    const both = (second: Curve): Verdict =>
      judge({
        also: [also],
        curves: { 'audience:1 viewersConnected': lost(25, 40), 'audience:2 viewersConnected': second },
        audienceStarts: { 'audience:1': at(10), 'audience:2': at(10) },
        audienceEnds: { 'audience:1': at(70), 'audience:2': at(70) },
        view: away(20, 30),
      });
    expect(both(full).verdict).toBe('inconclusive');
    expect(both(lost(50, 51)).verdict).toBe('inconclusive');
    expect(both(lost(25, 40)).verdict).toBe('fail');
    const [one] = away(20, 30).publisherOutages ?? [];
    const second = { ...one, by: 'second', stream: 'other' } as PublisherOutage;
    const view = { publisherOutages: one ? [one, second] : [] };
    expect(judge({ curves: outage(25, 40), view }).verdict).toBe('fail');
  });

  it('is the reason for viewers that were degraded without it, not for others', () => {
    const degraded = (from: number, to: number): Curves => ({
      'tester viewersDegraded': (second) => (second >= from && second < to ? 1000 : 0),
    });
    const own: Expectations = { ...expectations, degraded: { comparison: '<=', value: 1 } };
    expect(judge({ curves: degraded(21, 35), expect: own, view: away(20, 25) }).verdict).toBe('inconclusive');
    expect(judge({ curves: degraded(55, 65), expect: own, view: away(20, 25) }).verdict).toBe('fail');
  });
});
