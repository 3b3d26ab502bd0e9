import { describe, expect, it } from 'vitest';
import { publisherFigures, publisherReading } from './publisherStats';
import type { StatsEntry } from '../figures/playerStats';

function report(timestamp: number, frames: number, videoBytes: number, audioBytes: number): StatsEntry[] {
  return [
    { id: 'C1', type: 'codec', mimeType: 'video/H264', sdpFmtpLine: 'profile-level-id=42e01f' },
    {
      id: 'O1',
      type: 'outbound-rtp',
      kind: 'video',
      codecId: 'C1',
      timestamp,
      framesSent: frames,
      bytesSent: videoBytes,
      frameWidth: 640,
      frameHeight: 360,
      encoderImplementation: 'OpenH264',
      qualityLimitationReason: 'none',
    },
    { id: 'O2', type: 'outbound-rtp', kind: 'audio', timestamp, bytesSent: audioBytes - 1000, headerBytesSent: 1000 },
  ];
}

/** Two layers and the server's reports, as Chromium 108 has them; `seconds` after the start. */
function layered(seconds: number, limitedSeconds: number): StatsEntry[] {
  const timestamp = 1_795_605_785_734 + seconds * 1000;
  const layer = (rid: string, width: number, kbps: number, retransmitted: number): StatsEntry => ({
    ...{ id: `O${rid}`, type: 'outbound-rtp', kind: 'video', codecId: 'C96', rid, timestamp },
    ...{ frameWidth: width, frameHeight: (width * 9) / 16, framesSent: 25 * seconds, bytesSent: 125 * kbps * seconds },
    ...{ retransmittedPacketsSent: retransmitted, nackCount: 1, pliCount: seconds, firCount: 1 },
    ...{ encoderImplementation: 'libvpx', qualityLimitationReason: limitedSeconds > 0 ? 'bandwidth' : 'none' },
    qualityLimitationDurations: { other: 0, cpu: 0, bandwidth: limitedSeconds, none: seconds - limitedSeconds },
  });
  const remote = (of: string, fractionLost: number): StatsEntry => ({
    ...{ id: `R${of}`, type: 'remote-inbound-rtp', kind: 'video', localId: `O${of}`, fractionLost, roundTripTime: 0.1 },
  });
  return [
    { id: 'C96', type: 'codec', mimeType: 'video/VP8', sdpFmtpLine: 'x-google-start-bitrate=1000' },
    { id: 'T1', type: 'transport', selectedCandidatePairId: 'P2' },
    { id: 'P1', type: 'candidate-pair', state: 'succeeded', nominated: false, currentRoundTripTime: 0.5 },
    { id: 'P2', type: 'candidate-pair', state: 'succeeded', nominated: true, currentRoundTripTime: 0.002 },
    layer('q', 640, 300, 0),
    layer('h', 1280, 1000, seconds * 2),
    remote('q', 0),
    remote('h', 0.02),
  ];
}

describe('figures of a publication', () => {
  it('are frame rate and bitrate between two reports', () => {
    const before = publisherReading(report(1000, 100, 50_000, 4000));
    const now = publisherReading(report(2000, 125, 90_000, 8000));
    const figures = publisherFigures(before, now);
    expect(figures).toMatchObject({ fps: 25, bitrateKbps: 352, rttMs: undefined, limitedPercent: undefined });
    expect(figures.layers).toMatchObject([
      {
        ...{ name: undefined, fps: 25, bitrateKbps: 320, width: 640, height: 360 },
        ...{ codec: 'H.264 CBP', encoder: 'OpenH264', limitedBy: undefined, limitedPercent: undefined },
      },
    ]);
  });

  it('have no rate from one report, nor after a counter reset', () => {
    const now = publisherReading(report(2000, 125, 90_000, 8000));
    expect(publisherFigures(undefined, now)).toMatchObject({ fps: undefined, bitrateKbps: undefined });
    expect(publisherFigures(undefined, now).layers[0]?.width).toBe(640);
    const anew = publisherReading(report(3000, 5, 900, 80));
    expect(publisherFigures(now, anew)).toMatchObject({ fps: undefined, bitrateKbps: undefined });
  });

  it('are of each layer, the largest first', () => {
    const figures = publisherFigures(publisherReading(layered(8, 0)), publisherReading(layered(10, 1)));
    expect(
      figures.layers.map(({ name, width, height, fps, bitrateKbps }) => [name, width, height, fps, bitrateKbps]),
    ).toEqual([
      ['h', 1280, 720, 25, 1000],
      ['q', 640, 360, 25, 300],
    ]);
    expect(figures.layers[0]).toMatchObject({
      ...{ codec: 'VP8', encoder: 'libvpx', retransmissions: 20, nacks: 1, keyframeRequests: 11 },
      ...{ limitedBy: 'bandwidth', limitedPercent: { cpu: 0, bandwidth: 10, other: 0 } },
    });
  });

  it('have sums over the layers since the reading before, and the worst of what is not a sum', () => {
    expect(publisherFigures(publisherReading(layered(8, 0)), publisherReading(layered(10, 1)))).toMatchObject({
      ...{ fps: 25, bitrateKbps: 1300, rttMs: 2, lossPercent: 2 },
      ...{ retransmissions: 4, keyframeRequests: 4, limitedPercent: 50 },
    });
  });
});
