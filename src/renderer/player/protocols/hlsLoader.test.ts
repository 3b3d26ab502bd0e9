import type { LoaderConfiguration, LoaderContext } from 'hls.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loaderThrough, type FetchPiece } from './hlsLoader';

const config = { loadPolicy: { maxLoadTimeMs: 10_000 } } as LoaderConfiguration;
const context = (of: Partial<LoaderContext> = {}): LoaderContext =>
  ({ url: 'http://origin/cam.m3u8', responseType: 'text', ...of }) as LoaderContext;

/** Loads a piece and returns its callbacks in order. */
async function load(
  fetchPiece: FetchPiece,
  of: Partial<LoaderContext> = {},
  act?: (loader: { abort(): void }) => void,
) {
  const callbacks: string[] = [];
  const Loader = loaderThrough(fetchPiece, {
    received: (bytes) => callbacks.push(`received ${bytes}`),
    failed: (_, why) => callbacks.push(`failed ${why}`),
  });
  const loader = new Loader();
  let data: unknown;
  loader.load(context(of), config, {
    onSuccess: (response) => {
      data = response.data;
      callbacks.push('success');
    },
    onError: ({ code }) => callbacks.push(`error ${code}`),
    onTimeout: () => callbacks.push('timeout'),
    onAbort: () => callbacks.push('abort'),
  });
  act?.(loader);
  await vi.advanceTimersByTimeAsync(20_000);
  return { callbacks, data, stats: loader.stats };
}

const bytes = new TextEncoder().encode('#EXTM3U');
const answer = (status = 200) => Promise.resolve({ status, url: 'http://origin/cam.m3u8', data: bytes });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('HLS loader', () => {
  it('returns playlists as text and segments as separate buffers', async () => {
    const text = await load(() => answer());
    expect(text).toMatchObject({ data: '#EXTM3U', callbacks: ['received 7', 'success'] });
    expect(text.stats).toMatchObject({ loaded: 7, total: 7, aborted: false });
    const { data } = await load(() => answer(), { responseType: 'arraybuffer' });
    expect(data).toBeInstanceOf(ArrayBuffer);
    expect((data as ArrayBuffer).byteLength).toBe(7);
  });

  it('returns the requested range', async () => {
    expect((await load(() => answer(), { rangeStart: 1, rangeEnd: 4 })).data).toBe('EXT');
  });

  it('reports a refusal by status, and a failure by sentence', async () => {
    expect((await load(() => answer(404))).callbacks).toEqual(['failed 404', 'error 404']);
    const refused = load(() => Promise.reject(new Error('srs refuses the connection.')));
    expect((await refused).callbacks).toEqual(['failed srs refuses the connection.', 'error 0']);
  });

  it('ends once: no callback after a timeout or an abort', async () => {
    const late: FetchPiece = () => new Promise((resolve) => setTimeout(() => void answer().then(resolve), 15_000));
    expect((await load(late)).callbacks).toEqual(['failed No response within 10 s.', 'timeout']);
    expect((await load(late, {}, (loader) => loader.abort())).callbacks).toEqual(['abort']);
  });
});
