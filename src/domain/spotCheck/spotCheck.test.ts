import { describe, expect, it } from 'vitest';
import type { Audience } from '../model/plan';
import type { SpotCheck, SpotCheckRating } from '../model/spotCheck';
import { agreementOf, agreementText } from './agreement';
import { freezeLimitMs, measuredRating } from './measuredRating';
import { chosenTarget, spotCheckTargets } from './targets';

describe('the measured rating', () => {
  const good = { seconds: 10, freezes: 0, frozenMs: 0, longestFreezeMs: 0, fps: 25, nominalFps: 25 };

  it.each([
    ['no freeze', {}, 'smooth'],
    ['a freeze of 499 ms', { freezes: 1, frozenMs: 499, longestFreezeMs: 499 }, 'minor'],
    ['a freeze of 500 ms', { freezes: 1, frozenMs: 500, longestFreezeMs: 500 }, 'bad'],
    ['short freezes of just 5 % of the time', { freezes: 2, frozenMs: 500, longestFreezeMs: 250 }, 'minor'],
    ['short freezes of more than 5 % of the time', { freezes: 3, frozenMs: 501, longestFreezeMs: 200 }, 'bad'],
    ['the same in twice the time', { seconds: 20, freezes: 3, frozenMs: 501, longestFreezeMs: 200 }, 'minor'],
    ['just 80 % of the frames', { fps: 20 }, 'smooth'],
    ['less than 80 % of the frames', { fps: 19.9 }, 'minor'],
    ['few frames of a stream of unknown frame rate', { fps: 5, nominalFps: undefined }, 'smooth'],
    ['an unknown frame rate', { fps: undefined }, 'smooth'],
  ] as const)('with %s', (_title, seen, rating) => {
    expect(measuredRating({ ...good, ...seen })).toBe(rating);
  });

  it('counts a freeze as W3C webrtc-stats, and from 500 ms on at any frame rate', () => {
    expect([20, 40, 100, 200, 500].map(freezeLimitMs)).toEqual([170, 190, 300, 500, 500]);
  });
});

const check = (rating: SpotCheckRating, measured: SpotCheckRating): SpotCheck => ({
  ...{ stream: 'cam', rating, measured },
  ...{ seconds: 10, freezes: 0, frozenMs: 0 },
});

describe('the agreement', () => {
  it('counts equal ratings, and in which direction the others differ', () => {
    const all = [
      check('smooth', 'smooth'),
      check('bad', 'bad'),
      check('minor', 'smooth'),
      check('bad', 'smooth'),
      check('minor', 'bad'),
    ];
    const agreement = agreementOf(all);
    expect(agreement).toEqual({ count: 5, agreeing: 2, percent: 40, stricter: 2, milder: 1 });
    expect(agreement && agreementText(agreement)).toBe(
      '5 checks: 2 agree with the counters (40 %), 2 rated worse, 1 rated better',
    );
  });

  it('is absent without a check, and one line for one', () => {
    expect(agreementOf([])).toBeUndefined();
    const one = agreementOf([check('smooth', 'smooth')]);
    expect(one && agreementText(one)).toBe('1 check: 1 agrees with the counters (100 %)');
  });
});

describe('what is played', () => {
  const pull = (changes: Partial<Audience>): Audience => ({
    ...{ stream: 'cam', from: 'lab', by: ['local'], protocol: 'whep', viewers: 10, ratePerSecond: 5, holdMs: 0 },
    ...changes,
  });

  it('is each origin, stream and protocol of the run once, of those with a picture', () => {
    const targets = spotCheckTargets({
      pull: pull({}),
      also: [
        pull({ viewers: 20 }),
        pull({ protocol: 'hls' }),
        pull({ from: 'edge', protocol: 'dash' }),
        pull({ stream: 'many{n}', streams: 2 }),
        pull({ stream: 'room', protocol: 'livekit', rooms: { size: 5, source: 'sample-240p' } }),
        pull({ stream: 'radio', tracks: 'audio' }),
        pull({ stream: 'signalling', withoutMedia: true }),
      ],
    });
    expect(targets.map(({ node, stream, protocol }) => `${node} ${stream} ${protocol ?? 'preferred'}`)).toEqual([
      'lab cam whep',
      'lab cam hls',
      'edge cam preferred',
      'lab many1 whep',
      'lab many2 whep',
      'lab room-1 livekit',
      'lab room-2 livekit',
    ]);
  });

  it('is chosen at random, each equally likely', () => {
    const all = ['a', 'b', 'c'];
    const draws = [0, 0.33, 0.34, 0.66, 0.67, 0.999];
    expect(draws.map((value) => chosenTarget(all, () => value))).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
    expect(chosenTarget([], () => 0)).toBeUndefined();
  });
});
