import { expect, it } from 'vitest';
import type { LayerFigures } from './publisherStats';
import { limitedText, limitText, publisherLines, sizeText } from './publisherText';

const layer: LayerFigures = {
  ...{ name: 'h', width: 1280, height: 720, fps: 24.96, bitrateKbps: 1012.4, codec: 'VP8', encoder: 'libvpx' },
  ...{ retransmissions: 4, nacks: 2, keyframeRequests: 1, limitedBy: 'bandwidth' },
  limitedPercent: { cpu: 2.2, bandwidth: 10.4, other: 0 },
};
const unknown: LayerFigures = {
  ...{ name: undefined, width: undefined, height: undefined, fps: undefined, bitrateKbps: undefined, codec: 'H.264' },
  ...{ encoder: undefined, retransmissions: undefined, nacks: undefined, keyframeRequests: undefined },
  ...{ limitedBy: undefined, limitedPercent: undefined },
};
const sums = { fps: 25, bitrateKbps: 1012, retransmissions: 0, keyframeRequests: 0, limitedPercent: 0 };

it('has the figures of each layer and of the connection', () => {
  expect(publisherLines({ ...sums, layers: [layer], rttMs: 1.25, lossPercent: 0 })).toEqual([
    '1280 × 720 · 25.0 fps · 1,012 kbit/s',
    'VP8 by libvpx · limited: CPU 2 %, bandwidth 10 %',
    '4 sent again · 2 NACK · 1 PLI',
    'RTT 1.3 ms · loss 0.00 %',
  ]);
});

it('marks what is not measured', () => {
  expect(publisherLines({ ...sums, layers: [unknown], rttMs: undefined, lossPercent: undefined })).toEqual([
    '– · – · –',
    'H.264 · limited: –',
    '– sent again · – NACK · – PLI',
    'RTT – · loss –',
  ]);
  expect([sizeText(unknown), limitText(unknown), limitText(layer)]).toEqual(['–', 'nothing', 'bandwidth']);
  expect(publisherLines({ ...sums, layers: [], rttMs: 0, lossPercent: 1 })).toEqual(['RTT < 1 ms · loss 1.00 %']);
  expect(limitedText({ limitedPercent: { cpu: 0, bandwidth: 0, other: 0 } })).toBe('0 %');
});
