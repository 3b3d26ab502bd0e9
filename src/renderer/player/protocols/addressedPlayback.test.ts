import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AddressedPlayback } from './addressedPlayback';
import type { PlayEngine } from './playSession';
import { RetryingSession } from './retryingSession';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('reports why the playback address is unknown, and retries until it ends', async () => {
  let asked = 0;
  const engine = {
    call: () => {
      asked += 1;
      return Promise.reject(new Error('srs is not reached.'));
    },
  } as unknown as PlayEngine;
  const states: string[] = [];
  const session = new RetryingSession(
    (listener) =>
      new AddressedPlayback(engine, { node: 'srs', stream: 'cam' }, {} as HTMLVideoElement, listener, () =>
        states.push('an address'),
      ),
    {
      state: (state) => states.push(state.kind === 'waiting' ? state.sentence : state.kind),
      media: () => undefined,
      sound: () => undefined,
      choices: () => undefined,
    },
  );
  session.start();
  await vi.advanceTimersByTimeAsync(600);
  expect(asked).toBe(2);
  expect(await session.read()).toBeUndefined();
  await session.end();
  await session.end();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toBe(2);
  expect(states).toEqual(['connecting', 'srs is not reached.', 'connecting', 'srs is not reached.', 'idle']);
});
