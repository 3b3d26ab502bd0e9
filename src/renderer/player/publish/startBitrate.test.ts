import { expect, it } from 'vitest';
import { withStartBitrate } from './startBitrate';

const answer = (video: readonly string[]): string =>
  ['v=0', 'm=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=rtpmap:111 opus/48000/2', 'a=fmtp:111 minptime=10', ...video, ''].join(
    '\r\n',
  );

it('adds the start bitrate to the format that is sent', () => {
  const video = ['m=video 9 UDP/TLS/RTP/SAVPF 102 121', 'a=rtpmap:102 H264/90000', 'a=fmtp:121 apt=102'];
  const h264 = answer([...video, 'a=fmtp:102 packetization-mode=1']);
  expect(withStartBitrate(h264, 800)).toBe(
    h264.replace('packetization-mode=1', 'packetization-mode=1;x-google-start-bitrate=800'),
  );
});

it('adds it to a format without parameters, and no more than 3,000 kbit/s', () => {
  const vp8 = answer(['m=video 9 UDP/TLS/RTP/SAVPF 96', 'a=rtpmap:96 VP8/90000', 'a=rtcp-fb:96 nack']);
  expect(withStartBitrate(vp8, 5000)).toBe(
    vp8.replace('VP8/90000\r\n', 'VP8/90000\r\na=fmtp:96 x-google-start-bitrate=3000\r\n'),
  );
});

it('leaves an answer without video as it is', () => {
  expect(withStartBitrate(answer([]), 800)).toBe(answer([]));
});
