import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EngineClient } from '../../../contract/calls';
import type { CallInput, CallOutput, EngineCallName } from '../../../contract/engine';
import type { StreamView } from '../../../domain/model/node';
import { StreamList } from './streamList.svelte';

type Question = CallInput<'nodes.streams'>;
type Answer = CallOutput<'nodes.streams'>;

/** An engine whose responses are released by the test. */
class SlowEngine {
  readonly asked: Question[] = [];
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void }[] = [];
  readonly client = {
    call: (_: string, input: Question) => {
      this.asked.push(input);
      return new Promise<Answer>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    },
  } as unknown as EngineClient<EngineCallName>;

  async answer(names: readonly string[], of: Partial<Answer> = {}): Promise<void> {
    const streams = names.map((stream, at): StreamView => ({ stream, source: '', viewers: at }));
    this.#waiting.shift()?.resolve({ total: names.length, matching: names.length, streams, ...of });
    await vi.advanceTimersByTimeAsync(0);
  }
  async refuse(sentence: string): Promise<void> {
    this.#waiting.shift()?.reject(new Error(sentence));
    await vi.advanceTimersByTimeAsync(0);
  }
}

let engine: SlowEngine;
let list: StreamList;
beforeEach(() => {
  vi.useFakeTimers();
  engine = new SlowEngine();
  list = new StreamList(engine.client, 'srs');
  list.start();
});
afterEach(() => {
  list.dispose();
  vi.useRealTimers();
});

const names = (): string[] => list.held.streams.map(({ stream }) => stream);

describe('the list of streams', () => {
  it('requests once a second, one at a time', async () => {
    await vi.advanceTimersByTimeAsync(5000);
    expect(engine.asked).toHaveLength(1);
    await engine.answer(['a', 'b']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(engine.asked).toHaveLength(2);
    expect(engine.asked[0]).toMatchObject({ node: 'srs', sortBy: 'viewers', descending: true, offset: 0 });
  });

  it('immediately requests new rows that are not loaded', async () => {
    await engine.answer(
      Array.from({ length: 64 }, (_, at) => `s${at}`),
      { matching: 5000, total: 5000 },
    );
    list.show({ first: 20, count: 32 });
    expect(engine.asked).toHaveLength(1);
    list.show({ first: 400, count: 32 });
    expect(engine.asked[1]).toMatchObject({ offset: 368, limit: 160 });
    list.show({ first: 900, count: 32 });
    await engine.answer(['x'], { matching: 5000, total: 5000 });
    expect(engine.asked[2]).toMatchObject({ offset: 868, limit: 160 });
  });

  it('ignores responses from before the filter changed', async () => {
    list.find('cam');
    await engine.answer(['lobby']);
    expect(names()).toEqual([]);
    expect(engine.asked[1]).toMatchObject({ filter: 'cam' });
    await engine.answer(['cam-1']);
    expect(names()).toEqual(['cam-1']);
  });

  it('reverses the order when a column is chosen twice', async () => {
    await engine.answer(['a']);
    list.sort('stream');
    expect(engine.asked[1]).toMatchObject({ sortBy: 'stream', descending: false });
    list.sort('stream');
    await engine.answer(['a']);
    expect(engine.asked[2]).toMatchObject({ sortBy: 'stream', descending: true });
  });

  it('keeps the chosen stream while the order changes, and drops it when it ends', async () => {
    await engine.answer(['a', 'b', 'c']);
    list.choose(1);
    await vi.advanceTimersByTimeAsync(1000);
    await engine.answer(['b', 'c', 'a']);
    expect(list.chosen).toEqual({ index: 0, stream: 'b' });
    await vi.advanceTimersByTimeAsync(1000);
    await engine.answer(['c', 'a']);
    expect(list.chosen).toBeUndefined();
  });

  it('names a row that was chosen before it was loaded', async () => {
    await engine.answer(['a'], { matching: 5000 });
    list.choose(4999);
    expect(list.chosen).toEqual({ index: 4999, stream: undefined });
    list.show({ first: 4990, count: 10 });
    await engine.answer(
      Array.from({ length: 20 }, (_, at) => `s${4980 + at}`),
      { matching: 5000 },
    );
    expect(list.chosen).toEqual({ index: 4999, stream: 's4999' });
  });

  it('moves no row while the pointer is on actions, but updates figures', async () => {
    await engine.answer(['a', 'b']);
    list.hold(true);
    await vi.advanceTimersByTimeAsync(1000);
    await engine.answer(['b', 'a']);
    expect(names()).toEqual(['a', 'b']);
    expect(list.held.streams.map(({ viewers }) => viewers)).toEqual([1, 0]);
    list.hold(false);
    await engine.answer(['b', 'a']);
    expect(names()).toEqual(['b', 'a']);
  });

  it('shows the last response and why there is no newer one', async () => {
    await engine.answer(['a']);
    await vi.advanceTimersByTimeAsync(1000);
    await engine.refuse('srs did not respond within 5 s.');
    expect(list.problem).toBe('srs did not respond within 5 s.');
    expect(names()).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(1000);
    await engine.answer(['a']);
    expect(list.problem).toBeUndefined();
  });

  it('asks for nothing while live updates are paused', async () => {
    let isPaused = true;
    const paused = new StreamList(engine.client, 'srs', () => isPaused);
    paused.start();
    await engine.answer(['a']);
    await engine.answer(['a']);
    list.dispose();
    const asked = engine.asked.length;
    await vi.advanceTimersByTimeAsync(5000);
    expect(engine.asked.length).toBe(asked);
    isPaused = false;
    await vi.advanceTimersByTimeAsync(1000);
    expect(engine.asked.length).toBe(asked + 1);
    paused.dispose();
  });
});
