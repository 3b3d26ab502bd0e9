import { nodeOf, type Scenario } from './scenario';

/** The first start: one stopped node without samples. */
export function idle(): Scenario {
  return {
    nodes: [nodeOf('lab', 'origin', 1, { name: 'lab', state: 'idle' })],
    startedMs: Date.UTC(2026, 10, 24, 8, 0, 0),
    lengthMs: 0,
    ended: false,
    requested: 0,
    expectations: {},
    phases: [],
    events: [],
    reasons: [],
    samples: () => ({ keys: [], key: [], timeMs: [], value: [] }),
  };
}
