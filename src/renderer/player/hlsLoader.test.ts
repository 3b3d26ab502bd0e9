import type { LoaderConfiguration, LoaderContext } from 'hls.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loaderThrough, type FetchPiece } from './hlsLoader';

const config = { loadPolicy: { maxLoadTimeMs: 10_000 } } as LoaderConfiguration;
const context = (of: Partial<LoaderContext> = {}): LoaderContext =>
  ({ url: 'http://origin/cam.m3u8', responseType: 'text', ...of }) as LoaderContext;

/** Loads a piece and tells what was heard of it, in order. */
async function load(
  fetchPiece: FetchPiece,
  of: Partial<LoaderContext> = {},
  act?: (loader: { abort(): void }) => void,
) {
  const heard: string[] = [];
  const Loader = loaderThrough(fetchPiece, {
    received: (bytes) => heard.push(`received ${bytes}`),
    failed: (_, why) => heard.push(`failed ${why}`),
  });
  const loader = new Loader();
  let data: unknown;
  loader.load(context(of), config, {
    onSuccess: (response) => {
      data = response.data;
      heard.push('success');
    },
    onError: ({ code }) => heard.push(`error ${code}`),
    onTimeout: () => heard.push('timeout'),
    onAbort: () => heard.push('abort'),
  });
  act?.(loader);
  await vi.advanceTimersByTimeAsync(20_000);
  return { heard, data, stats: loader.stats };
}

const bytes = new TextEncoder().encode('#EXTM3U');
const answer = (status = 200) => Promise.resolve({ status, url: 'http://origin/cam.m3u8', data: bytes });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the loader of HLS pieces', () => {
  it('hands over playlists as text and segments as bytes of their own', async () => {
    const text = await load(() => answer());
    expect(text).toMatchObject({ data: '#EXTM3U', heard: ['received 7', 'success'] });
    expect(text.stats).toMatchObject({ loaded: 7, total: 7, aborted: false });
    const { data } = await load(() => answer(), { responseType: 'arraybuffer' });
    expect(data).toBeInstanceOf(ArrayBuffer);
    expect((data as ArrayBuffer).byteLength).toBe(7);
  });

  it('cuts out the range that was asked for', async () => {
    expect((await load(() => answer(), { rangeStart: 1, rangeEnd: 4 })).data).toBe('EXT');
  });

  it('tells a refusal by its status, and a failure by its sentence', async () => {
    expect((await load(() => answer(404))).heard).toEqual(['failed 404', 'error 404']);
    const refused = load(() => Promise.reject(new Error('srs refuses the connection.')));
    expect((await refused).heard).toEqual(['failed srs refuses the connection.', 'error 0']);
  });

  it('ends once: after a timeout or an abort nothing more is heard', async () => {
    const late: FetchPiece = () =>
      new Promise((resolve) => setTimeout(() => void answer().then(resolve), 15_000));
    expect((await load(late)).heard).toEqual(['failed It did not come within 10 s.', 'timeout']);
    expect((await load(late, {}, (loader) => loader.abort())).heard).toEqual(['abort']);
  });
});
