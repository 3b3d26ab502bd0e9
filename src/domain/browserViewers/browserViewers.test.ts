import { describe, expect, it } from 'vitest';
import type { Audience } from '../model/plan';
import { browserViewersOf, targetOf } from './browserViewers';

function pull(viewers: number, more: Partial<Audience> = {}): Audience {
  return {
    stream: 'cam',
    from: 'origin',
    by: ['tester'],
    protocol: 'whep',
    viewers,
    ratePerSecond: 50,
    holdMs: 0,
    ...more,
  };
}

describe('browser viewers of a plan', () => {
  it('has by default one for each 50 viewers, max 4, where there is a window', () => {
    const countOf = (viewers: number, isUsual = true): number =>
      browserViewersOf({ pull: pull(viewers) }, isUsual).count;
    expect([10, 49, 50, 100, 199, 200, 1000].map((viewers) => countOf(viewers))).toEqual([0, 0, 1, 2, 3, 4, 4]);
    expect(countOf(1000, false)).toBe(0);
  });

  it('follows the plan, for the audiences that it names', () => {
    const named = pull(1000, { browserViewers: 2, stream: 'named' });
    const none = pull(1000, { browserViewers: 0 });
    expect(browserViewersOf({ pull: pull(1000), also: [named, none] }, false)).toEqual({ count: 2, pulls: [named] });
    expect(browserViewersOf({ pull: none }, true).count).toBe(0);
  });

  it('leaves out what a browser can not play, and limit searches', () => {
    const dash = pull(1000, { protocol: 'dash' });
    const audio = pull(1000, { tracks: 'audio' });
    expect(browserViewersOf({ pull: dash, also: [audio, pull(1000, { withoutMedia: true })] }, true).count).toBe(0);
    const search = { fromViewers: 10, maxViewers: 1000, settleMs: 1, measureMs: 1, repeats: 1, precisionPercent: 5 };
    expect(browserViewersOf({ pull: pull(1000, { search }) }, true).count).toBe(0);
    expect(browserViewersOf({ pull: pull(1000, { search, browserViewers: 1 }) }, true).count).toBe(1);
  });

  it('watches the audiences and their streams in proportion', () => {
    const pulls = [
      pull(600, { streams: 3, stream: 'cam-{n}' }),
      pull(300, { protocol: 'hls' }),
      pull(100, { protocol: 'rtmp' }),
    ];
    const watched = Array.from({ length: 120 }, (_, number) => targetOf(number, pulls));
    const count = (protocol: string): number => watched.filter((each) => each?.protocol === protocol).length;
    expect(count('whep')).toBeGreaterThan(68);
    expect(count('hls')).toBeGreaterThan(34);
    expect(count('rtmp')).toBeGreaterThan(10);
    for (const stream of ['cam-1', 'cam-2', 'cam-3'])
      expect(watched.filter((each) => each?.stream === stream).length).toBeGreaterThan(15);
    // Its begin, its middle and its end within the first few.
    const early = watched.slice(0, 9).map((each) => each?.protocol);
    expect(new Set(early)).toEqual(new Set(['whep', 'hls', 'rtmp']));
    expect(targetOf(3, [])).toBeUndefined();
  });
});
