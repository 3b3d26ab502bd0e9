export interface JoinOptions {
  readonly clientData?: string;
  /** Publishes a camera or a screen of this size. */
  readonly publish?: {
    readonly width: number;
    readonly height: number;
    readonly typeOfVideo?: 'CAMERA' | 'SCREEN';
  };
  /** Ids of the connections that it subscribes to. */
  readonly watches?: readonly string[];
  readonly type?: 'WEBRTC' | 'IPCAM';
}

interface Connection {
  readonly id: string;
  readonly options: JoinOptions;
  readonly createdAt: number;
}

interface Session {
  readonly id: string;
  readonly createdAt: number;
  readonly connections: Map<string, Connection>;
}

/** The sessions of the stand-in: a test defines them, the API lists and closes them. */
export interface Sessions {
  /** As `POST /sessions` with this `customSessionId`. */
  open(id: string, createdAt?: number): void;
  /** Adds a participant; returns the connection's id. */
  join(session: string, options?: JoinOptions): string;
  list(): object;
  get(session: string): object | undefined;
  /** False if the session does not exist. */
  close(session: string): boolean;
  disconnect(session: string, connection: string): boolean;
}

export function startSessions(): Sessions {
  const sessions = new Map<string, Session>();
  let joined = 0;
  const shown = (session: Session): object => {
    const content = [...session.connections.values()].map((connection) => connectionOf(session, connection));
    return {
      id: session.id,
      object: 'session',
      sessionId: session.id,
      createdAt: session.createdAt,
      recording: false,
      mediaMode: 'ROUTED',
      recordingMode: 'MANUAL',
      defaultRecordingProperties: {
        name: '',
        hasAudio: true,
        hasVideo: true,
        outputMode: 'COMPOSED',
        recordingLayout: 'BEST_FIT',
        resolution: '1280x720',
        frameRate: 25,
        shmSize: 536870912,
      },
      customSessionId: session.id,
      forcedVideoCodec: 'MEDIA_SERVER_PREFERRED',
      forcedVideoCodecResolved: 'VP8',
      allowTranscoding: false,
      connections: { numberOfElements: content.length, content },
    };
  };
  return {
    open: (id, createdAt = Date.now()) => {
      sessions.set(id, { id, createdAt, connections: new Map() });
    },
    join: (session, options = {}) => {
      joined += 1;
      const id = `con_X${String(joined).padStart(9, '0')}`;
      sessions.get(session)?.connections.set(id, { id, options, createdAt: Date.now() });
      return id;
    },
    list: () => {
      const content = [...sessions.values()].map(shown);
      return { numberOfElements: content.length, content };
    },
    get: (id) => {
      const session = sessions.get(id);
      return session && shown(session);
    },
    close: (id) => sessions.delete(id),
    disconnect: (session, connection) => sessions.get(session)?.connections.delete(connection) ?? false,
  };
}

const streamOf = ({ id, options }: Connection): string =>
  `str_${options.type === 'IPCAM' ? 'IPC' : options.publish?.typeOfVideo === 'SCREEN' ? 'SCR' : 'CAM'}_Y${id.slice(-3)}_${id}`;

function connectionOf({ id: sessionId, connections }: Session, connection: Connection): object {
  const { id, options, createdAt } = connection;
  const { publish, watches = [], type = 'WEBRTC', clientData = '' } = options;
  const typeOfVideo = type === 'IPCAM' ? 'IPCAM' : (publish?.typeOfVideo ?? 'CAMERA');
  return {
    id,
    object: 'connection',
    status: 'active',
    connectionId: id,
    sessionId,
    createdAt,
    activeAt: createdAt,
    location: 'unknown',
    ip: '127.0.0.1',
    platform: type === 'IPCAM' ? 'IPCAM' : 'Chrome 120.0.0.0 on Linux 64-bit',
    token: `wss://127.0.0.1?sessionId=${sessionId}&token=tok_made_up`,
    type,
    record: true,
    role: publish ? 'PUBLISHER' : 'SUBSCRIBER',
    kurentoOptions: null,
    customIceServers: [],
    rtspUri: null,
    adaptativeBitrate: null,
    onlyPlayWithSubscribers: null,
    networkCache: null,
    serverData: '',
    clientData,
    publishers: publish
      ? [
          {
            createdAt,
            streamId: streamOf(connection),
            mediaOptions: {
              hasAudio: true,
              audioActive: true,
              hasVideo: true,
              videoActive: true,
              typeOfVideo,
              frameRate: 30,
              videoDimensions: JSON.stringify({ width: publish.width, height: publish.height }),
              filter: {},
            },
          },
        ]
      : [],
    subscribers: watches.flatMap((watch) => {
      const watched = connections.get(watch);
      return watched ? [{ createdAt, streamId: streamOf(watched) }] : [];
    }),
  };
}
