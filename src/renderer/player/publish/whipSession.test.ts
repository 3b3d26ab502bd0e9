import { expect, it } from 'vitest';
import { preferH264 } from './whipSession';

it('prefers H.264 Constrained Baseline in packetization mode 1 and keeps every other codec', () => {
  const codec = (mimeType: string, sdpFmtpLine?: string): { mimeType: string; sdpFmtpLine?: string } => ({
    mimeType,
    sdpFmtpLine,
  });
  const offered = [
    codec('video/VP8'),
    codec('video/rtx'),
    codec('video/H264', 'packetization-mode=0;profile-level-id=42e01f'),
    codec('video/H264', 'packetization-mode=1;profile-level-id=4d001f'),
    codec('video/H264', 'packetization-mode=1;profile-level-id=42e01f'),
    codec('video/VP9'),
  ];
  const preferred = preferH264(offered);
  expect(preferred.slice(0, 3)).toEqual([offered[4], offered[3], offered[2]]);
  expect(new Set(preferred)).toEqual(new Set(offered));
});
