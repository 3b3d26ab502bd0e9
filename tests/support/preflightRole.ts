import type { CheckContext } from '../../src/engine/preflight/rule';

/** An origin's role in a plan of 1,000 viewers, for tests. */
export function testRole(over: Partial<CheckContext> = {}): CheckContext {
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
    sharedWith: [],
    testers: 1,
    ...over,
  };
}
