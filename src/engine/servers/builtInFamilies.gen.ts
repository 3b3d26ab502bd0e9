// Made by scripts/families.mjs from families/*.yaml; do not edit.

/** The built-in families that are files, by their names. */
export const builtInFamilies = {
  'ant-media': {
    title: 'Ant Media Server',
    source: 'its source of 2026',
    process: 'java',
    runtime: 'jvm',
    app: 'LiveApp',
    ports: {
      web: 5080,
      rtmp: 1935,
      srt: 4200,
    },
    recognise: [
      {
        get: 'http://{web}/LiveApp/rest/v2/version',
        body: ['"versionName":"{version}"', '"versionType":'],
      },
      {
        get: 'http://{web}/',
        body: '<title>Ant Media',
      },
    ],
    play: {
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
      hls: 'http://{web}/{app}/streams/{stream}.m3u8',
      dash: 'http://{web}/{app}/streams/{stream}/{stream}.mpd',
    },
    publish: {
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
      srt: 'srt://{srt}?streamid={app}/{stream}',
    },
    pages: ['http://{web}/{app}/play.html?id={stream}'],
    login: {
      header: 'Authorization',
      value: '{password}',
    },
    requests: {
      broadcasts: {
        get: 'http://{web}/LiveApp/rest/v2/broadcasts/list/0/50',
        otherwise: 'streams and viewers are not reported, since the application LiveApp does not respond.',
      },
      version: {
        get: 'http://{web}/LiveApp/rest/v2/version',
        otherwise: 'its version is not reported.',
      },
    },
    version: {
      from: 'version',
      at: '/versionName',
    },
    streams: {
      from: 'broadcasts',
      each: '/*',
      name: 'LiveApp/{/streamId}',
      published: {
        '/status': 'broadcasting',
      },
      publisher: '/publishType',
      viewersBy: {
        counts: {
          whep: ['/webRTCViewerCount'],
          hls: ['/hlsViewerCount'],
          rtmp: ['/rtmpViewerCount'],
          dash: ['/dashViewerCount'],
        },
      },
      bytesIn: '/receivedBytes',
      bitrateKbps: {
        at: '/bitrate',
        times: 0.001,
      },
      width: '/width',
      height: '/height',
      since: '/startTime',
    },
    end: [
      {
        method: 'POST',
        address: 'http://{web}/LiveApp/rest/v2/broadcasts/{/streamId}/stop',
      },
    ],
    limits: [
      'The first 50 streams of the application LiveApp are reported.',
      'Its API responds with 403 to addresses outside of remoteAllowedCIDR, which is 127.0.0.1 by default.',
      "WebRTC is played over its own signalling, which agents don't have.",
      'Above 75 % of CPU or memory (server.cpu_limit, server.memory_limit_percentage) it refuses streams and viewers.',
    ],
  },
  'broadcast-box': {
    title: 'Broadcast Box',
    source: 'answers of 2.0.2',
    process: 'broadcast-box',
    runtime: 'go',
    ports: {
      web: 8080,
    },
    recognise: [
      {
        get: 'http://{web}/',
        status: 200,
        body: '<title>Broadcast Box</title>',
      },
    ],
    play: {
      whep: 'http://{web}/api/whep',
    },
    publish: {
      whip: 'http://{web}/api/whip',
    },
    token: '{stream}',
    pages: ['http://{web}/publish/{stream}', 'http://{web}/{stream}'],
    requests: {
      status: {
        get: 'http://{web}/api/status',
        otherwise:
          'streams and viewers are not reported, since its status is off; remove DISABLE_STATUS from its environment.',
      },
    },
    streams: {
      from: 'status',
      each: '/*',
      name: '/streamKey',
      published: {
        '/*/*/packetsReceived': true,
      },
      viewers: '/sessions',
      bitrateKbps: {
        at: '/videoTracks/*/bitrate',
        times: 0.008,
      },
      outKbps: {
        at: '/sessions/*/videoBitrate',
        times: 0.008,
      },
      since: '/streamStart',
    },
    limits: [
      'It does not report streams that their profile hides.',
      "Its API can't end a publisher; only its own client can, with the address from its WHIP response.",
      "A viewer can't end its session over HTTP; it ends when its connection is closed.",
    ],
    preflight: [],
  },
  galene: {
    title: 'Galene',
    source: 'answers of 1.1',
    process: 'galene',
    runtime: 'go',
    ports: {
      web: 8443,
    },
    recognise: [
      {
        get: 'https://{web}/',
        status: 200,
        body: ['<title>Galène</title>', 'https://www.irif.fr/~jch/'],
      },
      {
        get: 'http://{web}/',
        status: 200,
        body: ['<title>Galène</title>', 'https://www.irif.fr/~jch/'],
      },
      {
        get: 'https://{web}/galene-api/v0/.stats',
        header: {
          'www-authenticate': 'realm="/galene-api/"',
        },
      },
      {
        get: 'http://{web}/galene-api/v0/.stats',
        header: {
          'www-authenticate': 'realm="/galene-api/"',
        },
      },
    ],
    publish: {
      whip: 'http://{web}/group/{stream}/.whip',
    },
    pages: ['http://{web}/group/{stream}/'],
    requests: {
      stats: {
        get: 'http://{web}/galene-api/v0/.stats',
        needsLogin: true,
        otherwise:
          'groups and viewers are not reported without the login of an administrator; add one to "users" in data/config.json, and to the node.',
      },
    },
    streams: {
      from: 'stats',
      each: '/*',
      name: '/name',
      published: {
        '/clients/*/*/0/id': true,
      },
      viewers: {
        at: '/clients',
        where: {
          '/down/0/id': true,
        },
      },
      bitrateKbps: {
        at: '/clients/*/up/*/tracks/*/bitrate',
        times: 0.001,
      },
      outKbps: {
        at: '/clients/*/down/*/tracks/*/bitrate',
        times: 0.001,
      },
    },
    limits: [
      'Viewers use its own WebSocket protocol; it has no WHEP, so agents can only publish to it.',
      'It does not report a publisher over WHIP until a viewer receives its stream.',
      "Its API can't end a publisher.",
      'A group forwards VP8 and Opus only, unless "codecs" in its file lists others.',
      'It warns if it may open fewer than 65,536 files (LimitNOFILE).',
    ],
  },
  go2rtc: {
    title: 'go2rtc',
    source: 'its documentation, and answers of 1.9.14',
    process: 'go2rtc',
    runtime: 'go',
    ports: {
      api: 1984,
      rtsp: 8554,
      rtmp: 1935,
    },
    recognise: [
      {
        get: 'http://{api}/api',
        status: 200,
        body: ['"config_path":', '"rtsp":', '"version":"{version}"'],
      },
      {
        get: 'http://{api}/api',
        status: 401,
        header: {
          'www-authenticate': 'realm="go2rtc"',
        },
      },
    ],
    play: {
      whep: 'http://{api}/api/webrtc?src={stream}',
      'http-flv': 'http://{api}/api/stream.flv?src={stream}',
      hls: 'http://{api}/api/stream.m3u8?src={stream}',
      rtsp: 'rtsp://{rtsp}/{stream}',
    },
    publish: {
      whip: 'http://{api}/api/webrtc?dst={stream}',
      rtmp: 'rtmp://{rtmp}/{stream}',
      rtsp: 'rtsp://{rtsp}/{stream}',
    },
    pages: [
      'http://{api}/stream.html?src={stream}',
      'http://{api}/webrtc.html?src={stream}',
      'http://{api}/links.html?src={stream}',
    ],
    requests: {
      streams: {
        get: 'http://{api}/api/streams',
      },
      info: {
        get: 'http://{api}/api',
      },
    },
    version: {
      from: 'info',
      at: '/version',
    },
    streams: {
      from: 'streams',
      each: '/*',
      name: '{#1}',
      published: {
        '/producers/*/id': true,
      },
      publisher: '/producers/*/format_name',
      viewers: '/consumers',
      viewersBy: {
        each: '/consumers/*',
        kinds: [
          {
            protocol: 'whep',
            where: {
              '/format_name': 'webrtc/whep',
            },
          },
          {
            protocol: 'rtsp',
            where: {
              '/format_name': 'rtsp',
            },
          },
          {
            protocol: 'hls',
            where: {
              '/format_name': ['hls/fmp4', 'hls/mpegts'],
            },
          },
          {
            protocol: 'http-flv',
            where: {
              '/format_name': 'flv',
              '/protocol': 'http',
            },
          },
          {
            protocol: 'rtmp',
            where: {
              '/format_name': 'flv',
              '/protocol': false,
            },
          },
        ],
      },
      bytesIn: '/producers/*/bytes_recv',
      bytesOut: '/consumers/*/senders/*/bytes',
      videoCodec: '/producers/*/receivers/0/codec/codec_name',
      audioCodec: '/producers/*/receivers/1/codec/codec_name',
    },
    limits: [
      'Only streams of its configuration can be published, also by name.',
      'RTMP is off unless rtmp.listen is set in go2rtc.yaml; the application of an RTMP address is the stream.',
      'It does not respond to RTMP viewers that list the codecs of Enhanced RTMP, as agents do, so it is not pulled over RTMP.',
      'WebRTC has no audio of a stream with AAC.',
      "It can't end a publisher.",
    ],
  },
  icecast: {
    title: 'Icecast',
    source: 'its documentation, and answers of 2.4.4',
    process: 'icecast2',
    runtime: 'native',
    ports: {
      web: 8000,
    },
    recognise: [
      {
        get: 'http://{web}/status-json.xsl',
        header: {
          server: 'Icecast {version}',
        },
      },
    ],
    pages: ['http://{web}/{stream}.m3u', 'http://{web}/{stream}.xspf', 'http://{web}/{stream}'],
    requests: {
      status: {
        get: 'http://{web}/status-json.xsl',
        lists: ['source'],
      },
      stats: {
        get: 'http://{web}/admin/stats',
        as: 'xml',
        lists: ['source'],
        needsLogin: true,
        otherwise:
          'connections and media in and out are not reported without the login of an administrator; add it to the node.',
      },
    },
    version: {
      from: 'status',
      at: '/icestats/server_id',
      after: 'Icecast',
    },
    streams: {
      from: 'status',
      each: '/icestats/source/*',
      name: '/listenurl',
      isNamedByAddress: true,
      viewers: '/listeners',
      bitrateKbps: '/bitrate',
      audioCodec: '/server_type',
      since: '/stream_start_iso8601',
    },
    figures: {
      originConnections: {
        from: 'stats',
        at: '/icestats/clients',
      },
      originInMbps: {
        from: 'stats',
        at: '/icestats/source/*/total_bytes_read',
        times: 0.000008,
        isCounter: true,
        periodMs: 5000,
      },
      originOutMbps: {
        from: 'stats',
        at: '/icestats/source/*/total_bytes_sent',
        times: 0.000008,
        isCounter: true,
        periodMs: 5000,
      },
    },
    end: [
      {
        method: 'GET',
        address: 'http://{web}/admin/killsource?mount=/{stream}',
      },
    ],
    limits: [
      'It streams audio over plain HTTP, which no tester pulls; its streams and listeners are read.',
      'It accepts 100 clients and 2 sources unless "clients" and "sources" in icecast.xml are raised.',
    ],
  },
  janus: {
    title: 'Janus',
    source: 'answers of 1.1.2',
    process: 'janus',
    runtime: 'native',
    ports: {
      api: 8088,
      admin: 7088,
      ws: 8188,
      whep: 7090,
      whip: 7080,
    },
    recognise: [
      {
        get: 'http://{api}/janus/info',
        body: '"name"*"Janus WebRTC Server"',
      },
      {
        get: 'http://{admin}/admin/info',
        body: '"name"*"Janus WebRTC Server"',
      },
    ],
    play: {
      whep: 'http://{whep}/whep/endpoint/{stream}',
    },
    publish: {
      whip: 'http://{whip}/whip/endpoint/{stream}',
    },
    login: {
      member: 'admin_secret',
    },
    success: {
      where: {
        '/janus': ['success', 'server_info'],
      },
      reason: '/error/reason',
      loginFault: {
        '/error/code': '403',
      },
    },
    requests: {
      info: {
        get: 'http://{api}/janus/info',
      },
      sessions: {
        get: 'http://{admin}/admin',
        json: {
          janus: 'list_sessions',
          transaction: 'fullhouse',
        },
        needsLogin: true,
        otherwise:
          'sessions are not reported without its admin API; set admin_http = true in janus.transport.http.jcfg, and add admin_secret to the node as its password.',
      },
    },
    version: {
      from: 'info',
      at: '/version_string',
    },
    figures: {
      'server:sessions': {
        from: 'sessions',
        at: '/sessions',
      },
    },
    limits: [
      'It has no WHIP and WHEP of its own; they are served by simple-whip-server and simple-whep-server beside it.',
      'Its HTTP API lists the viewers of a stream to its own sessions only, so viewers are not reported.',
      'It ends a session after 60 s without a request (session_timeout).',
      'Each viewer has a thread of its own unless event_loops is set in janus.jcfg.',
    ],
  },
  lal: {
    title: 'lal',
    source: 'its documentation, and answers of 0.37.4',
    process: 'lalserver',
    runtime: 'go',
    app: 'live',
    ports: {
      api: 8083,
      http: 8080,
      rtmp: 1935,
      rtsp: 5544,
    },
    recognise: [
      {
        get: 'http://{api}/api/stat/lal_info',
        header: {
          server: 'lal{version}',
        },
        body: '"lal_version":',
      },
      {
        rtsp: 'rtsp',
        server: 'lal{version}',
      },
    ],
    play: {
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
      'http-flv': 'http://{http}/{app}/{stream}.flv',
      'ws-flv': 'ws://{http}/{app}/{stream}.flv',
      hls: 'http://{http}/hls/{stream}.m3u8',
      rtsp: 'rtsp://{rtsp}/{app}/{stream}',
    },
    publish: {
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
      rtsp: 'rtsp://{rtsp}/{app}/{stream}',
    },
    success: {
      where: {
        '/error_code': '0',
      },
      reason: '/desp',
    },
    requests: {
      groups: {
        get: 'http://{api}/api/stat/all_group',
        otherwise:
          'streams and viewers are not reported, since its HTTP API does not respond; set "http_api": { "enable": true } in lalserver.conf.json.',
      },
      info: {
        get: 'http://{api}/api/stat/lal_info',
        otherwise: 'its version is not reported, since its HTTP API does not respond.',
      },
    },
    version: {
      from: 'info',
      at: '/data/lal_version',
    },
    streams: {
      from: 'groups',
      each: '/data/groups/*',
      name: '{/app_name}/{/stream_name}',
      published: {
        '/*/session_id': true,
      },
      publisher: '/pub/protocol',
      viewers: '/subs',
      viewersBy: {
        each: '/subs/*/protocol',
        protocols: {
          RTMP: 'rtmp',
          FLV: 'http-flv',
          RTSP: 'rtsp',
          HLS: 'hls',
        },
      },
      bytesIn: '/pub/read_bytes_sum',
      outKbps: '/subs/*/write_bitrate_kbits',
      videoCodec: '/video_codec',
      audioCodec: '/audio_codec',
      width: '/video_width',
      height: '/video_height',
    },
    end: [
      {
        method: 'POST',
        address: 'http://{api}/api/ctrl/kick_session',
        json: {
          stream_name: '{/stream_name}',
          session_id: '{/pub/session_id}',
        },
        where: {
          '/pub/session_id': true,
        },
      },
    ],
    limits: [
      'HLS viewers are counted only if hls.sub_session_hash_key is set in lalserver.conf.json.',
      'A stream is identified by its name without the application, so one name can be published in one application only.',
      'The HLS address of a stream exists after its first segment, some 4 s after it is published.',
      'Its HTTP API has no login.',
      'Viewers stay connected when their publisher is ended.',
    ],
  },
  live777: {
    title: 'Live777',
    source: 'its source, 0.9',
    process: 'live777',
    runtime: 'native',
    ports: {
      web: 7777,
    },
    recognise: [
      {
        get: 'http://{web}/',
        status: 200,
        body: '<title>Live777</title>',
      },
      {
        get: 'http://{web}/metrics',
        status: 200,
        body: ['TYPE *subscribe gauge', 'TYPE *reforward gauge'],
      },
    ],
    play: {
      whep: 'http://{web}/whep/{stream}',
    },
    publish: {
      whip: 'http://{web}/whip/{stream}',
    },
    pages: [
      'http://{web}/tools/player.html?id={stream}',
      'http://{web}/tools/dash.html?id={stream}',
      'http://{web}/tools/debugger.html?id={stream}',
    ],
    login: 'bearer',
    requests: {
      streams: {
        get: 'http://{web}/api/streams/',
      },
      metrics: {
        get: 'http://{web}/metrics',
        as: 'metrics',
        otherwise: 'media in and out are not reported, since /metrics does not respond.',
      },
    },
    streams: {
      from: 'streams',
      each: '/*',
      name: '/id',
      published: {
        '/publish/sessions/0/id': true,
      },
      viewers: {
        at: '/subscribe/sessions',
        where: {
          '/state': 'connected',
        },
      },
      since: '/createdAt',
    },
    figures: {
      originInMbps: {
        from: 'metrics',
        metric: 'live777_rtp_bytes_total',
        labels: {
          direction: 'in',
        },
        times: 0.000008,
        isCounter: true,
      },
      originOutMbps: {
        from: 'metrics',
        metric: 'live777_rtp_bytes_total',
        labels: {
          direction: 'out',
        },
        times: 0.000008,
        isCounter: true,
      },
    },
    end: [
      {
        method: 'DELETE',
        address: 'http://{web}/api/streams/{stream}',
      },
    ],
    limits: [
      'A stream has 65,535 viewers at most (eachStreamMaxSub of its strategy).',
      'Versions before 0.10 do not report media in and out.',
    ],
  },
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
      publisher: {
        at: '/source/type',
        names: {
          webRTCSession: 'WHIP',
          rtmpConn: 'RTMP',
          rtmpsConn: 'RTMPS',
          rtspSession: 'RTSP',
          rtspsSession: 'RTSPS',
          srtConn: 'SRT',
        },
      },
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
      videoCodec: {
        at: '/tracks/*',
        where: {
          '': ['H264', 'H265', 'VP8', 'VP9', 'AV1', 'M-JPEG', 'MPEG-4 Video', 'MPEG-1/2 Video'],
        },
      },
      audioCodec: {
        at: '/tracks/*',
        where: {
          '': [
            'Opus',
            'MPEG-4 Audio',
            'MPEG-4 Audio LATM',
            'MPEG-1/2 Audio',
            'AC3',
            'AC-3',
            'G711',
            'G722',
            'G726',
            'LPCM',
            'Speex',
            'Vorbis',
            'FLAC',
          ],
        },
      },
      width: '/tracks2/*/codecProps/width',
      height: '/tracks2/*/codecProps/height',
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
    limits: [
      'It ends all viewers of a path when its publisher is ended.',
      'A viewer that reads too slowly loses packets beyond writeQueueSize (512); its log then has "reader is too slow".',
      'maxReaders limits the viewers of a path; there is no limit by default.',
    ],
    preflight: [
      {
        id: 'udp-read-buffer',
        title: 'UDP read buffer',
        why: "Media of publishers over RTSP, SRT and WebRTC is lost where the socket's buffer is too small for a burst.",
        read: {
          sysctl: 'net.core.rmem_max',
        },
        expect: '>= 1000000',
        fix: 'sudo sysctl -w net.core.rmem_max=1000000',
        source: 'MediaMTX: udpReadBufferSize',
      },
    ],
  },
  nimble: {
    title: 'Nimble Streamer',
    source: 'its public documentation',
    process: 'nimble',
    runtime: 'native',
    app: 'live',
    ports: {
      api: 8082,
      http: 8081,
      rtmp: 1935,
      rtsp: 554,
    },
    recognise: [
      {
        get: 'http://{http}/',
        header: {
          server: 'nimble/{version}',
        },
      },
      {
        rtsp: 'rtsp',
        server: 'nimble/{version}',
      },
    ],
    play: {
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
      hls: 'http://{http}/{app}/{stream}/playlist.m3u8',
      dash: 'http://{http}/{app}/{stream}/manifest.mpd',
      rtsp: 'rtsp://{rtsp}/{app}/{stream}',
    },
    publish: {
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
      rtsp: 'rtsp://{rtsp}/{app}/{stream}',
    },
    requests: {
      status: {
        get: 'http://{api}/manage/server_status',
        otherwise:
          'connections are not reported, since its management API is off; set management_listen_interfaces in nimble.conf.',
      },
      live: {
        get: 'http://{api}/manage/live_streams_status',
        otherwise:
          'streams are not reported, since its management API is off; set management_listen_interfaces in nimble.conf.',
      },
    },
    streams: {
      from: 'live',
      each: '/*/streams/*',
      name: '/strm',
      bitrateKbps: {
        at: '/bandwidth',
        times: 0.001,
      },
      videoCodec: '/vcodec',
      audioCodec: '/acodec',
    },
    figures: {
      originConnections: {
        from: 'status',
        at: '/Connections',
      },
      originOutMbps: {
        from: 'status',
        at: '/OutRate',
        times: 0.000001,
      },
    },
    limits: [
      'Viewers of each stream are not reported, only all connections.',
      "Its API can't be read while management_token is set, since it needs a salted hash for each request.",
    ],
  },
  'node-media-server-2': {
    title: 'Node-Media-Server 2',
    source: 'its source, and answers of 2.7.4',
    process: 'node',
    runtime: 'node',
    isSingleThreaded: true,
    app: 'live',
    ports: {
      api: 8000,
      rtmp: 1935,
    },
    recognise: [
      {
        get: 'http://{api}/api/server',
        status: [200, 401],
        header: {
          'x-powered-by': 'Express (http2-express)',
          'access-control-allow-headers': 'Content-Type*X-Requested-With',
        },
      },
    ],
    play: {
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
      'http-flv': 'http://{api}/{app}/{stream}.flv',
      'ws-flv': 'ws://{api}/{app}/{stream}.flv',
    },
    publish: {
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
    },
    requests: {
      streams: {
        get: 'http://{api}/api/streams',
      },
      server: {
        get: 'http://{api}/api/server',
      },
    },
    version: {
      from: 'server',
      at: '/version',
    },
    streams: {
      from: 'streams',
      each: '/*/*',
      name: '{#1}/{#2}',
      published: {
        '/publisher': true,
      },
      publisher: 'rtmp',
      viewersBy: {
        each: '/subscribers/*/protocol',
        protocols: {
          rtmp: 'rtmp',
          http: 'http-flv',
          ws: 'ws-flv',
        },
      },
      bytesIn: '/publisher/bytes',
      videoCodec: '/publisher/video/codec',
      audioCodec: '/publisher/audio/codec',
      width: '/publisher/video/width',
      height: '/publisher/video/height',
      fps: '/publisher/video/fps',
      since: '/publisher/connectCreated',
    },
    figures: {
      originInMbps: {
        from: 'server',
        at: '/net/inbytes',
        times: 0.000008,
        isCounter: true,
      },
      originOutMbps: {
        from: 'server',
        at: '/net/outbytes',
        times: 0.000008,
        isCounter: true,
      },
      originConnections: {
        from: 'server',
        at: '/clients/active',
      },
      processMemoryBytes: {
        from: 'server',
        at: '/nodejs/mem/rss',
      },
    },
    end: [
      {
        method: 'DELETE',
        address: 'http://{api}/api/streams/{app}/{stream}',
      },
    ],
    limits: [
      'One process of Node.js serves all viewers, with the computing power of one core.',
      'A viewer of a stream that is not published is accepted and waits for it.',
    ],
  },
  'node-media-server': {
    title: 'Node-Media-Server',
    source: 'its source, and answers of 4.4.3',
    process: 'node',
    runtime: 'node',
    isSingleThreaded: true,
    app: 'live',
    ports: {
      api: 8000,
      rtmp: 1935,
    },
    recognise: [
      {
        get: 'http://{api}/api/v1/health',
        header: {
          'x-powered-by': 'Express (http2-express)',
        },
        body: ['"status":"ok"', '"version":"{version}"', 'Server is healthy'],
      },
    ],
    play: {
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
      'http-flv': 'http://{api}/{app}/{stream}.flv',
      'ws-flv': 'ws://{api}/{app}/{stream}.flv',
    },
    publish: {
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
    },
    login: {
      post: 'http://{api}/api/v1/login',
      json: {
        username: '{user}',
        password: '{password}',
      },
      token: '/data/token',
    },
    requests: {
      streams: {
        get: 'http://{api}/api/v1/streams',
      },
      sessions: {
        get: 'http://{api}/api/v1/sessions',
      },
      stats: {
        get: 'http://{api}/api/v1/stats',
      },
      health: {
        get: 'http://{api}/api/v1/health',
      },
    },
    version: {
      from: 'health',
      at: '/data/version',
    },
    streams: {
      from: 'streams',
      each: '/data/streams/*',
      name: '{/app}/{/name}',
      published: {
        '/status': 'publishing',
      },
      publisher: '/publisher/protocol',
      viewers: '/subscribers',
      bytesIn: '/publisher/inBytes',
      bytesOut: '/outBytes',
      videoCodec: {
        at: '/publisher/videoCodec',
        names: {
          '7': 'H264',
          '12': 'H265',
          '13': 'AV1',
        },
      },
      audioCodec: {
        at: '/publisher/audioCodec',
        names: {
          '2': 'MP3',
          '10': 'AAC',
          '13': 'Opus',
        },
      },
      width: '/publisher/videoWidth',
      height: '/publisher/videoHeight',
      fps: '/publisher/videoFramerate',
      since: '/publisher/createTime',
    },
    figures: {
      originConnections: {
        from: 'sessions',
        at: '/data/total',
      },
      processMemoryBytes: {
        from: 'stats',
        at: '/data/memory/rss',
      },
    },
    end: [
      {
        method: 'DELETE',
        address: 'http://{api}/api/v1/sessions/{/publisher/id}',
      },
    ],
    limits: [
      'One process of Node.js serves all viewers, with the computing power of one core.',
      'A viewer of a stream that is not published is accepted and waits for it.',
    ],
  },
  ovenmediaengine: {
    title: 'OvenMediaEngine',
    source: 'its documentation and source of 0.21',
    process: 'OvenMediaEngine',
    runtime: 'native',
    app: 'app',
    ports: {
      api: 8081,
      http: 3333,
      rtmp: 1935,
      srtIn: 9999,
      srtOut: 9998,
    },
    recognise: [
      {
        get: 'http://{http}/',
        header: {
          server: 'OvenMediaEngine',
        },
      },
      {
        get: 'http://{api}/v1/version',
        status: [200, 401],
        header: {
          server: 'OvenMediaEngine',
        },
      },
    ],
    play: {
      hls: 'http://{http}/{app}/{stream}/master.m3u8',
      srt: 'srt://{srtOut}?streamid=default/{app}/{stream}/master',
    },
    publish: {
      whip: 'http://{http}/{app}/{stream}?direction=whip',
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
      srt: 'srt://{srtIn}?streamid=default/{app}/{stream}',
    },
    login: {
      header: 'Authorization',
      value: 'Basic {base64:password}',
    },
    requests: {
      names: {
        get: 'http://{api}/v1/vhosts/default/apps/app/streams',
        otherwise:
          'streams and viewers are not reported, since its API is off or has no application "app"; set Managers and Bind/Managers/API in Server.xml.',
      },
      statistics: {
        get: 'http://{api}/v1/stats/current/vhosts/default/apps/app/streams/{/}',
        each: {
          from: 'names',
          at: '/response/*',
        },
        otherwise: 'viewers are not reported, since its API is off.',
      },
      version: {
        get: 'http://{api}/v1/version',
        otherwise: 'its version is not reported; versions before 0.19 have no /v1/version.',
      },
    },
    version: {
      from: 'version',
      at: '/response/version',
    },
    streams: {
      from: 'statistics',
      each: '/*',
      name: 'app/{/item}',
      viewersBy: {
        counts: {
          whep: ['/response/response/connections/webrtc'],
          hls: ['/response/response/connections/llhls', '/response/response/connections/hlsv3'],
          srt: ['/response/response/connections/srt'],
        },
      },
      bytesIn: '/response/response/totalBytesIn',
      bytesOut: '/response/response/totalBytesOut',
      since: '/response/response/createdTime',
    },
    end: [
      {
        method: 'DELETE',
        address: 'http://{api}/v1/vhosts/default/apps/app/streams/{stream}',
      },
    ],
    limits: [
      'Streams of the host "default" and its application "app" are reported.',
      "WebRTC is played over its own signalling, which agents don't have; it is published over WHIP.",
      'The password of its API is Managers/API/AccessToken in Server.xml.',
      'Versions before 0.16 have their LL-HLS at llhls.m3u8.',
    ],
  },
  owncast: {
    title: 'Owncast',
    source: 'its documentation and source, 0.2',
    process: 'owncast',
    runtime: 'go',
    ports: {
      web: 8080,
      rtmp: 1935,
    },
    recognise: [
      {
        get: 'http://{web}/api/status',
        status: 200,
        body: ['"versionNumber":"{version}"', '"lastDisconnectTime":', '"online":'],
      },
    ],
    play: {
      hls: 'http://{web}/hls/stream.m3u8',
    },
    publish: {
      rtmp: 'rtmp://{rtmp}/live/{stream}',
    },
    pages: ['http://{web}/embed/video'],
    requests: {
      status: {
        get: 'http://{web}/api/status',
      },
      metrics: {
        get: 'http://{web}/api/admin/prometheus',
        as: 'metrics',
        needsLogin: true,
        otherwise:
          "CPU, memory and open files of its process are not reported without its administrator's login; add user admin and its password to the node.",
      },
    },
    version: {
      from: 'status',
      at: '/versionNumber',
    },
    streams: {
      from: 'status',
      each: '',
      name: 'stream',
      where: {
        '/online': true,
      },
      viewers: '/viewerCount',
      since: '/lastConnectTime',
    },
    figures: {
      processCpuPercent: {
        from: 'metrics',
        metric: 'process_cpu_seconds_total',
        times: 100,
        isCounter: true,
      },
      processMemoryBytes: {
        from: 'metrics',
        metric: 'process_resident_memory_bytes',
      },
      processOpenFiles: {
        from: 'metrics',
        metric: 'process_open_fds',
      },
    },
    end: [
      {
        method: 'POST',
        address: 'http://{web}/api/admin/disconnect',
      },
    ],
    limits: [
      'It has one stream, which it calls "stream"; what is published is named by its stream key.',
      'It counts viewers with the same address and User-Agent as one, so its count is below that of testers.',
      'It transcodes the stream, by default, which needs CPU before the first viewer.',
    ],
  },
  'red5-pro': {
    title: 'Red5 Pro',
    source: 'its documentation',
    process: 'java',
    runtime: 'jvm',
    app: 'live',
    ports: {
      web: 5080,
      rtmp: 1935,
      rtsp: 8554,
    },
    recognise: [
      {
        get: 'http://{web}/',
        status: 200,
        body: 'title>*Red5 Pro',
      },
    ],
    play: {
      whep: 'http://{web}/{app}/whep/endpoint/{stream}',
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
      hls: 'http://{web}/{app}/{stream}.m3u8',
      rtsp: 'rtsp://{rtsp}/{app}/{stream}',
    },
    publish: {
      whip: 'http://{web}/{app}/whip/endpoint/{stream}',
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
      rtsp: 'rtsp://{rtsp}/{app}/{stream}',
    },
    pages: [
      'http://{web}/live/viewer.jsp?stream={stream}',
      'http://{web}/live/subscribe.jsp?stream={stream}',
      'http://{web}/live/broadcast.jsp?stream={stream}',
    ],
    login: {
      query: 'accessToken',
    },
    success: {
      where: {
        '/status': 'success',
      },
      reason: '/message',
      loginFault: {
        '/code': ['401', '403'],
      },
    },
    requests: {
      streams: {
        get: 'http://{web}/api/v1/applications/live/streams',
        needsLogin: true,
        otherwise:
          'streams are not reported without its access token; activate webapps/api, and add the token to the node as its password.',
      },
    },
    streams: {
      from: 'streams',
      each: '/data/*',
      name: 'live/{/}',
    },
    end: [
      {
        method: 'POST',
        address: 'http://{web}/api/v1/applications/{app}/streams/{stream}/action/unpublish',
      },
    ],
    limits: [
      'The streams of its application "live" are read, not those of others, and without their viewers.',
      'Its documentation asks for 1,000,000 open files, and UDP 40000 to 65535 open for WebRTC.',
    ],
  },
  red5: {
    title: 'Red5',
    source: 'its source, 2.0.40',
    process: 'java',
    runtime: 'jvm',
    app: 'live',
    ports: {
      web: 5080,
      rtmp: 1935,
    },
    recognise: [
      {
        rtmp: 'rtmp',
        fmsVer: 'RED5/{version}',
      },
    ],
    isGeneral: true,
    play: {
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
    },
    publish: {
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
    },
    limits: [
      'It has no HTTP API, so streams and viewers are not reported.',
      'It closes RTMP connections after 60 s without data (rtmp.max_inactivity).',
    ],
  },
  wowza: {
    title: 'Wowza Streaming Engine',
    source: 'its documentation, 4.x',
    process: 'java',
    runtime: 'jvm',
    app: 'live',
    ports: {
      api: 8087,
      media: 1935,
      admin: 8086,
    },
    recognise: [
      {
        get: 'http://{media}/',
        header: {
          server: 'Wowza*Engine/{version}',
        },
      },
      {
        get: 'http://{media}/',
        body: 'Wowza Streaming Engine 4 *{version} build',
      },
      {
        get: 'http://{admin}/serverversion',
        body: 'Wowza Streaming Engine 4 * build',
      },
      {
        get: 'http://{api}/v2/servers',
        status: 401,
        header: {
          'www-authenticate': 'realm="Wowza',
        },
      },
    ],
    play: {
      rtmp: 'rtmp://{media}/{app}/{stream}',
      hls: 'http://{media}/{app}/{stream}/playlist.m3u8',
      dash: 'http://{media}/{app}/{stream}/manifest.mpd',
      rtsp: 'rtsp://{media}/{app}/{stream}',
    },
    publish: {
      rtmp: 'rtmp://{media}/{app}/{stream}',
      rtsp: 'rtsp://{media}/{app}/{stream}',
    },
    pages: ['http://{media}/{app}/_definst_/{stream}/playlist.m3u8'],
    requests: {
      live: {
        get: 'http://{api}/v2/servers/_defaultServer_/vhosts/_defaultVHost_/applications/live/instances/_definst_',
      },
      current: {
        get: 'http://{api}/v2/servers/_defaultServer_/vhosts/_defaultVHost_/applications/live/monitoring/current',
        otherwise:
          'media in and out and viewers are not reported, since the monitoring of its application "live" does not respond.',
      },
    },
    streams: {
      from: 'live',
      each: '/incomingStreams/*',
      name: 'live/{/name}',
      published: {
        '/isConnected': true,
      },
      publisher: '/sourceIp',
    },
    figures: {
      originInMbps: {
        from: 'current',
        at: '/bytesInRate',
        times: 0.000008,
      },
      originOutMbps: {
        from: 'current',
        at: '/bytesOutRate',
        times: 0.000008,
      },
      'server:connections': {
        from: 'current',
        at: '/connectionCount/*',
      },
    },
    end: [
      {
        method: 'PUT',
        address:
          'http://{api}/v2/servers/_defaultServer_/vhosts/_defaultVHost_/applications/{app}/instances/_definst_/incomingstreams/{stream}/actions/disconnectStream',
      },
    ],
    limits: [
      'Its API is read with HTTP Basic; set AuthenticationMethod to basic in Server.xml if it is digest.',
      'The streams of its application "live" are read, not those of others.',
      'A licence limits connections; that of a trial allows 10 publishers.',
      'Its service allows 20,000 open files unless LimitNOFILE is raised.',
    ],
  },
  zlmediakit: {
    title: 'ZLMediaKit',
    source: 'its documentation and source of 2026',
    process: 'MediaServer',
    runtime: 'native',
    app: 'live',
    ports: {
      http: 80,
      rtmp: 1935,
      rtsp: 554,
      srt: 9000,
    },
    recognise: [
      {
        get: 'http://{http}/',
        header: {
          server: 'ZLMediaKit-{version}(',
        },
      },
      {
        get: 'http://{http}/',
        header: {
          server: 'ZLMediaKit(git hash:{version}',
        },
      },
      {
        rtsp: 'rtsp',
        server: 'ZLMediaKit',
      },
    ],
    play: {
      whep: 'http://{http}/index/api/whep?app={app}&stream={stream}',
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
      'http-flv': 'http://{http}/{app}/{stream}.live.flv',
      'ws-flv': 'ws://{http}/{app}/{stream}.live.flv',
      hls: 'http://{http}/{app}/{stream}/hls.m3u8',
      rtsp: 'rtsp://{rtsp}/{app}/{stream}',
      srt: 'srt://{srt}?streamid=%23!::r={app}/{stream},m=request',
    },
    publish: {
      whip: 'http://{http}/index/api/whip?app={app}&stream={stream}',
      rtmp: 'rtmp://{rtmp}/{app}/{stream}',
      rtsp: 'rtsp://{rtsp}/{app}/{stream}',
      srt: 'srt://{srt}?streamid=%23!::r={app}/{stream},m=publish',
    },
    login: {
      query: 'secret',
    },
    success: {
      where: {
        '/code': '0',
      },
      reason: '/msg',
      loginFault: {
        '/code': '-100',
      },
    },
    requests: {
      media: {
        get: 'http://{http}/index/api/getMediaList',
      },
      sessions: {
        get: 'http://{http}/index/api/getAllSession',
        otherwise: 'its connections are not reported, since /index/api/getAllSession does not respond.',
      },
    },
    streams: {
      from: 'media',
      each: '/data/*',
      name: '{/app}/{/stream}',
      publisher: '/originTypeStr',
      viewers: '/totalReaderCount',
      bitrateKbps: {
        at: '/bytesSpeed',
        times: 0.008,
      },
      videoCodec: '/tracks/0/codec_id_name',
      audioCodec: '/tracks/1/codec_id_name',
      width: '/tracks/*/width',
      height: '/tracks/*/height',
      fps: '/tracks/*/fps',
      since: '/createStamp',
    },
    figures: {
      originConnections: {
        from: 'sessions',
        at: '/data',
      },
    },
    end: [
      {
        method: 'GET',
        address: 'http://{http}/index/api/close_streams?vhost={/vhost}&app={/app}&stream={/stream}&force=1',
      },
    ],
    limits: [
      'A viewer of a stream that is not published waits 15 s by default (general.maxStreamWaitMS) before it is refused.',
      'The password of its API is api.secret in config.ini.',
    ],
  },
} as const;
