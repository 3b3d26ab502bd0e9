// Made by scripts/families.mjs from families/*.yaml; do not edit.

/** The built-in families that are files, by their names. */
export const builtInFamilies = {
  mediamtx: {
    title: 'MediaMTX',
    source: 'its documentation, and answers of 1.20.1',
    process: 'mediamtx',
    runtime: 'go',
    ports: {
      api: 9997,
      webrtc: 8889,
      hls: 8888,
      rtsp: 8554,
      rtmp: 1935,
      srt: 8890,
    },
    recognise: [
      {
        get: 'http://{webrtc}/',
        header: {
          server: 'mediamtx',
        },
      },
      {
        get: 'http://{hls}/',
        header: {
          server: 'mediamtx',
        },
      },
      {
        get: 'http://{api}/v3/info',
        status: [200, 401],
        header: {
          server: 'mediamtx',
        },
      },
    ],
    play: {
      whep: 'http://{webrtc}/{stream}/whep',
      rtmp: 'rtmp://{rtmp}/{stream}',
      hls: 'http://{hls}/{stream}/index.m3u8',
      rtsp: 'rtsp://{rtsp}/{stream}',
      srt: 'srt://{srt}?streamid=read:{stream}',
    },
    publish: {
      whip: 'http://{webrtc}/{stream}/whip',
      rtmp: 'rtmp://{rtmp}/{stream}',
      rtsp: 'rtsp://{rtsp}/{stream}',
      srt: 'srt://{srt}?streamid=publish:{stream}',
    },
    pages: ['http://{webrtc}/{stream}/publish', 'http://{webrtc}/{stream}', 'http://{hls}/{stream}'],
    requests: {
      paths: {
        get: 'http://{api}/v3/paths/list?itemsPerPage=1000',
        otherwise: 'streams and viewers are not reported, since its API is off; set "api: yes" in mediamtx.yml.',
      },
      info: {
        get: 'http://{api}/v3/info',
        otherwise: 'its version is not reported; versions before 1.15 have no /v3/info.',
      },
    },
    version: {
      from: 'info',
      at: '/version',
    },
    streams: {
      from: 'paths',
      each: '/items/*',
      name: '/name',
      where: {
        '/ready': true,
      },
      publisher: '/source/type',
      viewersBy: {
        each: '/readers/*/type',
        protocols: {
          webRTCSession: 'whep',
          rtmpConn: 'rtmp',
          rtmpsConn: 'rtmp',
          hlsSession: 'hls',
          rtspSession: 'rtsp',
          rtspsSession: 'rtsp',
          srtConn: 'srt',
        },
      },
      bytesIn: '/bytesReceived',
      bytesOut: '/bytesSent',
      videoCodec: '/tracks/0',
      audioCodec: '/tracks/1',
      width: '/tracks2/0/codecProps/width',
      height: '/tracks2/0/codecProps/height',
      since: '/readyTime',
    },
    end: [
      {
        method: 'POST',
        address: 'http://{api}/v3/rtmpconns/kick/{/source/id}',
        where: {
          '/source/type': 'rtmpConn',
        },
      },
      {
        method: 'POST',
        address: 'http://{api}/v3/rtspsessions/kick/{/source/id}',
        where: {
          '/source/type': 'rtspSession',
        },
      },
      {
        method: 'POST',
        address: 'http://{api}/v3/srtconns/kick/{/source/id}',
        where: {
          '/source/type': 'srtConn',
        },
      },
      {
        method: 'POST',
        address: 'http://{api}/v3/webrtcsessions/kick/{/source/id}',
        where: {
          '/source/type': 'webRTCSession',
        },
      },
    ],
    limits: ['It ends all viewers of a path when its publisher is ended.'],
  },
} as const;
