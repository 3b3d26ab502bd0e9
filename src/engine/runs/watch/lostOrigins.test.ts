import { beforeEach, describe, expect, it } from 'vitest';
import type { NodeView } from '../../../domain/model/node';
import { LostOrigins } from './lostOrigins';

const startMs = 1_000_000;
const origin: NodeView = {
  ...{ id: 'origin', name: 'origin', role: 'origin', server: 'lab', colourSlot: 1, state: 'live' },
  ...{ reach: '', host: 'a', streams: [], lastSampleMs: startMs + 12_500 },
};
let losses: LostOrigins;
beforeEach(() => (losses = new LostOrigins()));

describe('a lost origin', () => {
  it('is named, with time and reason', () => {
    losses.state(
      origin,
      { state: 'failed', problem: 'The lab agent was ended by SIGKILL.' },
      startMs + 13_400,
      startMs,
    );
    expect(losses.all).toEqual([
      {
        node: 'origin',
        timeMs: startMs + 13_400,
        sentence: 'origin stopped responding at 00:00:13.',
        detail: 'The lab agent was ended by SIGKILL.',
      },
    ]);
  });

  it('without a response counts from its last sample, once its media has stopped', () => {
    losses.state(origin, { state: 'stale' }, startMs + 16_000, startMs);
    losses.media(3, true);
    expect(losses.all).toEqual([]);
    losses.media(0, false); // the testers died, not the origin
    expect(losses.all).toEqual([]);
    losses.media(0, true);
    expect(losses.all).toMatchObject([{ timeMs: startMs + 12_500 }]);
    losses.state(origin, { state: 'live' }, startMs + 30_000, startMs);
    expect(losses.all).toEqual([]);
  });
});

describe('an origin that responds again', () => {
  const refused = 'origin: nothing listens at http://127.0.0.1:18889; check the port and that the server is running.';
  const view = { state: 'live' } as const;

  it('was gone from the first refused connection on', () => {
    losses.state(origin, { state: 'stale', problem: 'origin: it closed the connection.' }, startMs + 15_000, startMs);
    losses.state(origin, { state: 'stale', problem: refused }, startMs + 16_000, startMs);
    losses.state(origin, { state: 'stale', problem: 'origin: 404.' }, startMs + 22_000, startMs);
    expect(losses.outages).toEqual([]);
    losses.state(origin, view, startMs + 24_000, startMs);
    losses.state(origin, view, startMs + 25_000, startMs);
    const sentence = 'origin did not respond from 00:00:16 to 00:00:24 (8 s): connections were refused.';
    expect(losses.outages).toEqual([{ node: 'origin', fromMs: startMs + 16_000, toMs: startMs + 24_000, sentence }]);
    expect(losses.all).toEqual([]);
  });

  it('after its process ended has its reason', () => {
    losses.state(origin, { state: 'failed', problem: 'The lab agent was ended by SIGKILL.' }, startMs + 1000, startMs);
    losses.state(origin, view, startMs + 3000, startMs);
    expect(losses.outages[0]?.sentence).toBe(
      'origin did not respond from 00:00:01 to 00:00:03 (2 s): The lab agent was ended by SIGKILL.',
    );
  });

  it('too late was only slow', () => {
    losses.state(origin, { state: 'stale', problem: 'origin: no response within 5 s.' }, startMs + 15_000, startMs);
    losses.media(0, true);
    losses.state(origin, view, startMs + 24_000, startMs);
    expect(losses.outages).toEqual([]);
  });
});
