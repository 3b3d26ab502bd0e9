import { expect, it } from 'vitest';
import { samplePlan } from '../../../tests/support/samplePlan';
import type { FleetNode } from '../fleet/node';
import { Pull } from './pull';
import { nextStep } from './pullSteps';
import type { RunData } from './runData';
import { TearDown } from './tearDown';
import { audienceIn } from '../../../tests/support/pullPlan';

/** A pull of 10 viewers that hold for 10 s from 1000 on, and that are all lost at `lostMs`. */
function lostAt(lostMs: number): { readonly pull: Pull; readonly tearDown: TearDown } {
  const node = { driver: { stop: () => Promise.resolve() }, running: false } as unknown as FleetNode;
  const pull = new Pull(
    audienceIn(samplePlan({ viewers: 10, holdMs: 10_000 })),
    [{ name: 'tester', node }],
    () => 'pull-1',
  );
  pull.startedMs = 0;
  pull.fullMs = 1000;
  const sample = { job: 'pull-1', state: 'holding', waiting: 0, connecting: 0, connected: 0, present: 10 };
  pull.take(node, [{ ...sample, timeMs: lostMs, values: {}, distributions: {} } as never], lostMs);
  return { pull, tearDown: new TearDown({} as RunData) };
}

it.each([
  ['8 s before the planned end', 3000, 8000, 8000],
  ['2 s before the planned end', 9000, 11_000, undefined],
])('a pull that has lost its viewers %s', (_, lostMs, endMs, lostAllMs) => {
  const { pull, tearDown } = lostAt(lostMs);
  const step = nextStep(endMs, pull.seen());
  expect(step).toBe('leave');
  tearDown.advance(pull, step, endMs);
  expect(pull.lostAllMs).toBe(lostAllMs);
});
