import { describe, expect, it } from 'vitest';
import { stopProof } from './stopProof';

describe('after a stop', () => {
  it('speaks for both sides', () => {
    expect(stopProof({ present: 0, originViewers: 0 })).toContain('0 viewers left');
    expect(stopProof({ present: 0, originViewers: 3 })).toContain('the origin still counts 3');
    expect(stopProof({ present: 1, originViewers: 0 })).toContain('1 viewer still held');
    expect(stopProof({ present: 0 })).toContain('does not answer');
  });
});
