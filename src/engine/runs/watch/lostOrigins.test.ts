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
