/** Video codecs of WebRTC that Chromium encodes; which of them a window has depends on its build. */
export const videoCodecs = ['h264', 'vp8', 'vp9', 'av1'] as const;
export type VideoCodec = (typeof videoCodecs)[number];

export const videoCodecNames: Readonly<Record<VideoCodec, string>> = {
  h264: 'H.264',
  vp8: 'VP8',
  vp9: 'VP9',
  av1: 'AV1',
};
