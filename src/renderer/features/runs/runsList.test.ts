import { describe, expect, it, vi } from 'vitest';
import type { RunSummary } from '../../../domain/model/run';
import { FakeClient } from '../../../../tests/support/fakeClient';
import { RunsList } from './runsList.svelte';

function summary(id: string, startedMs: number): RunSummary {
  return {
    id,
    name: id,
    startedMs,
    verdict: 'pass',
    origin: 'lab',
    requested: 1,
    connectedPeak: 1,
    degradedPercentPeak: 0,
    viewersTrace: [],
    bytes: 1,
  };
}

describe('saved runs', () => {
  it('are listed newest first, and again after changes', async () => {
    let kept = [summary('old', 1), summary('new', 2)];
    const engine = new FakeClient({ 'runs.list': () => kept });
    const runs = new RunsList(engine, () => undefined);
    await runs.refresh();
    expect(runs.list.map(({ id }) => id)).toEqual(['new', 'old']);
    kept = [summary('newest', 3), ...kept];
    engine.push('runsChanged', {});
    await vi.waitFor(() => expect(runs.list[0]?.id).toBe('newest'));
    runs.dispose();
    expect(engine.listenerCount).toBe(0);
  });

  it('are deleted and restored', async () => {
    const engine = new FakeClient({
      'runs.list': () => [summary('a', 1)],
      'runs.delete': () => ({ done: true }),
      'runs.undelete': () => summary('a', 1),
    });
    const runs = new RunsList(engine, () => undefined);
    await runs.refresh();
    expect(await runs.delete('a')).toBe(true);
    expect(runs.list).toEqual([]);
    await runs.undelete('a');
    expect(runs.list).toHaveLength(1);
  });

  it('keep their row if the engine refuses to delete', async () => {
    const problems: unknown[] = [];
    const engine = new FakeClient({ 'runs.list': () => [summary('a', 1)] });
    const runs = new RunsList(engine, (error) => problems.push(error));
    await runs.refresh();
    expect(await runs.delete('a')).toBe(false);
    expect(runs.list).toHaveLength(1);
    expect(problems).toHaveLength(1);
  });
});
