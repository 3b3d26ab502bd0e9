import { describe, expect, it } from 'vitest';
import { stopResult } from './stopResult';

describe('after a stop', () => {
  it('reports both sides', () => {
    expect(stopResult({ present: 0, originViewers: 0 })).toContain('confirmed by the origin');
    expect(stopResult({ present: 0, originViewers: 3 })).toContain('the origin still counts 3');
    expect(stopResult({ present: 1, originViewers: 0 })).toContain('still connected: 1 viewer');
    expect(stopResult({ present: 0 })).toContain('not confirmed by the origin');
  });

  it('names the sessions that end later', () => {
    const timeout = "HLS sessions end by the server's timeout";
    expect(stopResult({ present: 0, originViewers: 10 }, timeout)).toBe(
      `Stopped. All viewers disconnected; the origin still counts 10: ${timeout}.`,
    );
    expect(stopResult({ present: 0, originViewers: 0 }, timeout)).not.toContain('timeout');
  });
});
