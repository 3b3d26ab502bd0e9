import { expect, it } from 'vitest';
import type { NodeChange } from '../fleet/node';
import { isEarlier } from './earlierChanges';

const message = (timeMs: number): NodeChange => ({ kind: 'message', timeMs, name: 'unattended', sentence: 'x' });

it.each<[string, NodeChange, boolean]>([
  ['an event of the agent', message(999), true],
  ['an event of the same time', message(1000), false],
  ['figures of the process', { kind: 'process', timeMs: 999, values: {} }, true],
  ['figures of the host', { kind: 'host', timeMs: 400, values: {} }, true],
  ['figures of the publishers', { kind: 'publishers', timeMs: 2000, values: {}, samples: [] }, false],
  ['a sample of the server', { kind: 'server', sample: { timeMs: 999, values: {}, streams: [] } }, true],
  ['a state', { kind: 'state', state: 'live', before: 'idle' }, false],
  ['a change of the view', { kind: 'view' }, false],
])('of a run that started at 1000, %s', (_, change, expected) => {
  expect(isEarlier(change, 1000)).toBe(expected);
});
