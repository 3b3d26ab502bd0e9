import { afterEach, describe, expect, it, vi } from 'vitest';
import { FakeClient } from '../../../tests/support/fakeClient';
import { Stopping } from './stopping.svelte';

describe('Stop all', () => {
  afterEach(() => vi.useRealTimers());

  it('is graceful first, and forced by the second press', async () => {
    const engine = new FakeClient({ 'runs.stopAll': () => ({ present: 412 }) });
    const stopping = new Stopping(engine, () => undefined);
    await stopping.stop();
    await stopping.stop();
    expect(engine.asked.map(({ input }) => input)).toEqual([{ force: false }, { force: true }]);
    stopping.finished();
    await stopping.stop();
    expect(engine.asked.at(-1)?.input).toEqual({ force: false });
    stopping.finished();
  });

  it('offers to force only if the graceful stop takes long', async () => {
    vi.useFakeTimers();
    const stopping = new Stopping(new FakeClient({ 'runs.stopAll': () => ({ present: 1 }) }), () => undefined);
    await stopping.stop();
    expect([stopping.isRequested, stopping.offersForce]).toEqual([true, false]);
    vi.advanceTimersByTime(2500);
    expect(stopping.offersForce).toBe(true);
    stopping.finished();
    expect([stopping.isRequested, stopping.offersForce]).toEqual([false, false]);
  });

  it('can be pressed again after a refusal of the engine', async () => {
    const problems: unknown[] = [];
    const stopping = new Stopping(new FakeClient({}), (error) => problems.push(error));
    await stopping.stop();
    expect(problems).toHaveLength(1);
    expect(stopping.isRequested).toBe(false);
  });
});
