import { describe, expect, it } from 'vitest';
import { stopResult } from './stopResult';

describe('after a stop', () => {
  it('reports both sides', () => {
    expect(stopResult({ present: 0, originViewers: 0 })).toContain('confirmed by the origin');
    expect(stopResult({ present: 0, originViewers: 3 })).toContain('the origin still counts 3');
    expect(stopResult({ present: 1, originViewers: 0 })).toContain('still connected: 1 viewer');
    expect(stopResult({ present: 0 })).toContain('does not respond');
  });
});
