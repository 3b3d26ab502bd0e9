import { expect, it } from 'vitest';
import { figuresAtRest, figuresOf, noTotals, samplesOf, type Second } from './playerFigures';
import { intervalBetween, readReport } from './playerStats';

const reading = readReport([
  {
    id: 'I1',
    type: 'inbound-rtp',
    kind: 'video',
    timestamp: 1000,
    jitter: 0.0178,
    frameWidth: 426,
    frameHeight: 240,
  },
]);
const second: Second = {
  seen: { fps: 24.2, ended: [], open: undefined, stalledMs: 0 },
  reading,
  interval: intervalBetween(undefined, reading),
  totals: noTotals,
  stalls: 2,
  stalledMs: 1400,
  longestStallMs: 900,
  reconnects: 1,
  delays: { hasSoundClock: false },
  delaysMs: [],
};

it('records measured values only', () => {
  expect(samplesOf(second)).toEqual({
    playerFrameRate: 24.2,
    playerFreezes: 2,
    playerFrozenMs: 0,
    playerJitterMs: 17.8,
    playerLongestFreezeMs: 900,
    playerReconnects: 1,
    playerFrameHeight: 240,
  });
});

it('records the stalls of getStats beside its own', () => {
  const totals = { ...noTotals, freezeCount: 3, freezeDurationMs: 930, pauseCount: 1 };
  expect(samplesOf({ ...second, totals })).toMatchObject({
    ...{ playerFreezes: 2, playerFreezeCount: 3, playerFreezeDurationMs: 930, playerPauseCount: 1 },
  });
});

it('uses the frame rate of the decoder while the video is hidden', () => {
  const hidden = {
    ...second,
    seen: { ...second.seen, fps: undefined },
    interval: { ...second.interval, decodedFps: 25 },
  };
  expect(figuresOf(hidden).frameRate).toBe(25);
  expect(samplesOf(hidden).playerFrameRate).toBe(25);
});

it('shows the A/V offset by content if the sound has a clock, else by playout timestamps', () => {
  const played = { ...second, reading: { ...reading, avOffsetMs: 12 } };
  expect(samplesOf(played).playerAvOffsetMs).toBe(12);
  expect(figuresOf(played).avOffsetUncertaintyMs).toBeUndefined();
  const delays = { audioDelayMs: 120, avOffset: { ms: -30, uncertaintyMs: 9 }, hasSoundClock: true };
  expect(samplesOf({ ...played, delays })).toMatchObject({ playerAvOffsetMs: -30, playerAudioDelayMs: 120 });
  expect(figuresOf({ ...played, delays })).toMatchObject({ avOffsetMs: -30, avOffsetUncertaintyMs: 9 });
  // A second without a reading is a gap.
  expect(samplesOf({ ...played, delays: { hasSoundClock: true } }).playerAvOffsetMs).toBeUndefined();
});

it('keeps only totals without playback', () => {
  const rest = figuresAtRest(
    figuresOf({ ...second, totals: { ...noTotals, packets: 9, packetsLost: 1, framesDropped: 3 } }),
  );
  expect(rest).toMatchObject({ stalls: 2, stalledMs: 1400, framesDropped: 3, lostPercent: 10 });
  expect(rest?.frameRate ?? rest?.jitterMs ?? rest?.width).toBeUndefined();
  expect(figuresAtRest(undefined)).toBeUndefined();
});
