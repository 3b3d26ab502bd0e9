import type { Look } from './rule';

/** An origin's part in a plan of 1,000 viewers, for tests. */
export function testLook(over: Partial<Look> = {}): Look {
  return {
    node: 'origin',
    role: 'origin',
    server: 'wcs',
    viewers: 1000,
    viewersOfOneStream: 1000,
    publishers: 1,
    protocols: ['whep'],
    lengthMs: 600_000,
    mbps: 380,
    together: [],
    testers: 1,
    ...over,
  };
}
