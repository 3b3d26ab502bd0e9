import { beforeEach, describe, expect, it } from 'vitest';
import type { NodeView } from '../../../domain/node';
import type { Verdict } from '../../../domain/run';
import { OriginLosses, withLostOrigins } from './origins';

const startMs = 1_000_000;
const origin: NodeView = {
  ...{ id: 'origin', name: 'origin', role: 'origin', server: 'lab', colourSlot: 1, state: 'live' },
  ...{ reach: '', host: 'a', streams: [], lastSampleMs: startMs + 12_500 },
};
let losses: OriginLosses;
beforeEach(() => (losses = new OriginLosses()));

const pass: Verdict = { verdict: 'pass', sentence: 'All 20 viewers connected.', reasons: [], room: [] };
const run = { testers: new Set(['tester']), got: '20 of 20 viewers connected' };

describe('an origin that dies', () => {
  it('is the first reason, by name and second, and never a pass', () => {
    losses.state(
      origin,
      { state: 'failed', problem: 'The lab agent was ended by SIGKILL.' },
      startMs + 13_400,
      startMs,
    );
    const verdict = withLostOrigins(
      {
        ...pass,
        reasons: [{ number: 1, sentence: 'Late.', expected: '', expectation: 'connected', timeMs: startMs }],
      },
      losses.all,
      run,
    );
    expect(verdict).toMatchObject({
      verdict: 'fail',
      sentence: '20 of 20 viewers connected; local lab (origin) stopped answering at 00:00:13.',
      reasons: [
        {
          number: 1,
          node: 'origin',
          timeMs: startMs + 13_400,
          sentence: 'local lab (origin) stopped answering at 00:00:13. The lab agent was ended by SIGKILL.',
        },
        { number: 2, expectation: 'connected' },
      ],
    });
    expect(withLostOrigins({ ...pass, verdict: 'stopped' }, losses.all, run).verdict).toBe('stopped');
  });

  it('is not blamed on a tester that was found limited only afterwards', () => {
    losses.state({ ...origin, name: 'wcs-1', server: 'wcs' }, { state: 'failed' }, startMs + 13_000, startMs);
    const limit = (timeMs: number): Verdict['reasons'][number] => ({
      ...{ number: 1, sentence: 'tester was at its own limit.', expected: '', timeMs, node: 'tester' },
    });
    const { verdict, reasons } = withLostOrigins(
      { ...pass, verdict: 'inconclusive', reasons: [limit(startMs + 5000), limit(startMs + 20_000)] },
      losses.all,
      run,
    );
    expect(verdict).toBe('fail');
    expect(reasons.map(({ number, node }) => [number, node])).toEqual([
      [1, 'origin'],
      [2, 'tester'],
    ]);
    expect(reasons[0]?.sentence).toBe('wcs-1 (origin) stopped answering at 00:00:13.');
  });

  it('that only fell silent counts from its last word, once no media comes from it', () => {
    losses.state(origin, { state: 'stale' }, startMs + 16_000, startMs);
    losses.media(3);
    expect(losses.all).toEqual([]);
    losses.media(0);
    expect(losses.all).toMatchObject([{ timeMs: startMs + 12_500 }]);
    losses.state(origin, { state: 'live' }, startMs + 30_000, startMs);
    expect(losses.all).toEqual([]);
  });
});
