// Made by scripts/families.mjs from families/*.yaml; do not edit.

/** What all processes know of the built-in families that are files, by their names. */
export const builtInTraits = {
  'ant-media': {
    process: 'java',
    runtime: 'jvm',
    play: ['rtmp', 'hls', 'dash'],
  },
  'broadcast-box': {
    process: 'broadcast-box',
    runtime: 'go',
    play: ['whep'],
  },
  galene: {
    process: 'galene',
    runtime: 'go',
    play: [],
  },
  go2rtc: {
    process: 'go2rtc',
    runtime: 'go',
    play: ['whep', 'http-flv', 'hls', 'rtsp'],
  },
  icecast: {
    process: 'icecast2',
    runtime: 'native',
    play: [],
  },
  janus: {
    process: 'janus',
    runtime: 'native',
    play: ['whep'],
  },
  lal: {
    process: 'lalserver',
    runtime: 'go',
    play: ['rtmp', 'http-flv', 'ws-flv', 'hls', 'rtsp'],
  },
  live777: {
    process: 'live777',
    runtime: 'native',
    play: ['whep'],
  },
  mediamtx: {
    process: 'mediamtx',
    runtime: 'go',
    play: ['whep', 'rtmp', 'hls', 'rtsp', 'srt'],
  },
  nimble: {
    process: 'nimble',
    runtime: 'native',
    play: ['rtmp', 'hls', 'dash', 'rtsp'],
  },
  'node-media-server-2': {
    process: 'node',
    runtime: 'node',
    isSingleThreaded: true,
    play: ['rtmp', 'http-flv', 'ws-flv'],
  },
  'node-media-server': {
    process: 'node',
    runtime: 'node',
    isSingleThreaded: true,
    play: ['rtmp', 'http-flv', 'ws-flv'],
  },
  ovenmediaengine: {
    process: 'OvenMediaEngine',
    runtime: 'native',
    play: ['hls', 'srt'],
  },
  owncast: {
    process: 'owncast',
    runtime: 'go',
    play: ['hls'],
  },
  'red5-pro': {
    process: 'java',
    runtime: 'jvm',
    play: ['whep', 'rtmp', 'hls', 'rtsp'],
  },
  red5: {
    process: 'java',
    runtime: 'jvm',
    play: ['rtmp'],
  },
  wowza: {
    process: 'java',
    runtime: 'jvm',
    play: ['rtmp', 'hls', 'dash', 'rtsp'],
  },
  zlmediakit: {
    process: 'MediaServer',
    runtime: 'native',
    play: ['whep', 'rtmp', 'http-flv', 'ws-flv', 'hls', 'rtsp', 'srt'],
  },
} as const;
