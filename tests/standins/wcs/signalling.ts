import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { readMessage, send, textOf, type ClientMessage } from './message';
import { picture240p, type Picture, type StreamSession, type WcsNode } from './node';
import { answerTo } from './sdp';

/** The WebSocket port of a stand-in: what browsers and other servers connect to. */
export interface Signalling {
  readonly port: number;
  /** Closes every connection without notice. */
  drop(): void;
  close(): Promise<void>;
}

/** Each player beyond the CPU limit delays responses by this. */
const slowerByMs = 40;
const mediaPort = 31000;

export async function serveSignalling(node: WcsNode): Promise<Signalling> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const sockets = new Map<string, WebSocket>();
  server.on('connection', (socket, request) => {
    const { remotePort } = request.socket;
    const sessionId = `/127.0.0.1:${remotePort ?? 0}/127.0.0.1:${port}-${randomUUID().slice(0, 4)}`;
    const client = new Client(node, socket, sessionId);
    sockets.set(sessionId, socket);
    socket.on('message', (data, isBinary) => {
      const message = readMessage(data, isBinary);
      if (message) client.take(message);
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      sockets.delete(sessionId);
      client.gone();
    });
  });
  // Instead of media: each player's current rate, in the message that reports a client's video rate.
  const media = setInterval(() => {
    const share = node.cpuShare();
    const sources = new Map<string, Picture | undefined>();
    for (const stream of node.streams.values()) if (stream.published) sources.set(stream.name, stream.picture);
    for (const player of node.playing()) {
      const socket = sockets.get(player.sessionId);
      const source = sources.get(player.name);
      player.picture = source && { ...source, fps: source.fps * share, videoBps: source.videoBps * share };
      if (socket && player.picture)
        send(socket, 'outboundVideoRate', {
          mediaSessionId: player.mediaSessionId,
          videoRate: player.picture.videoBps,
          standin: player.picture,
        });
    }
  }, 500);
  const drop = (): void => {
    for (const socket of server.clients) socket.terminate();
  };
  return {
    port,
    drop,
    close: () => {
      clearInterval(media);
      drop();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** One client from its `connection` to its end. */
class Client {
  private isEstablished = false;
  private readonly mine = new Set<string>();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly node: WcsNode,
    private readonly socket: WebSocket,
    private readonly sessionId: string,
  ) {}

  take({ message, argument, all }: ClientMessage): void {
    if (message === 'ping') return send(this.socket, 'pong', null);
    if (message === 'pong') return;
    if (message === 'connection') return this.connect(argument);
    if (!this.isEstablished) return this.socket.close();
    switch (message) {
      case 'playStream':
        return this.play(argument);
      case 'publishStream':
        return this.publish(argument);
      case 'stopStream':
      case 'unPublishStream':
        return this.stop(argument, message === 'stopStream' ? 'STOPPED' : 'UNPUBLISHED');
      case 'availableStream': {
        const name = textOf(argument.name) ?? '';
        const isThere = this.node.published(name) !== undefined;
        return send(this.socket, 'availableStream', {
          id: argument.mediaSessionId,
          status: String(isThere),
          info: isThere ? '' : 'Stream not found',
        });
      }
      case 'sendStreamEvent':
        return this.passOn(argument);
      case 'sendData':
        return send(this.socket, 'DataStatusEvent', {
          operationId: argument.operationId,
          status: 'ACCEPTED',
        });
      default:
        // Calls, bug reports and the like are accepted and ignored.
        return void all;
    }
  }

  gone(): void {
    for (const timer of this.timers) clearTimeout(timer);
    for (const id of [...this.mine]) this.node.endStream(id, 'Stopped by session disconnect');
    this.node.connections.delete(this.sessionId);
  }

  private connect(argument: ClientMessage['argument']): void {
    this.isEstablished = true;
    const field = (name: string): unknown => argument[name] ?? '';
    this.node.connections.set(this.sessionId, {
      sessionId: this.sessionId,
      appKey: textOf(argument.appKey) ?? 'defaultApp',
      clientVersion: textOf(argument.clientVersion) ?? '',
      close: () => this.socket.close(),
    });
    send(this.socket, 'getUserData', {
      authToken: randomBytes(16).toString('hex'),
      status: 'ESTABLISHED',
      mediaProviders: argument.mediaProviders ?? ['WebRTC'],
      clientVersion: field('clientVersion'),
      clientOSVersion: field('clientOSVersion'),
      clientBrowserVersion: field('clientBrowserVersion'),
      useWsTunnel: false,
      useWsTunnelPacketization2: false,
      useBase64BinaryEncoding: false,
    });
  }

  private play(argument: ClientMessage['argument']): void {
    const session = this.session(argument, false);
    if (!session) return;
    const { node } = this;
    if (!node.published(session.name)) return this.fail(session.mediaSessionId, 'Stream not found');
    const offer = textOf(argument.sdp) ?? '';
    const answer = node.answerPlayer ? node.answerPlayer(session.name, offer) : answerTo(offer, mediaPort);
    if (!answer) return this.fail(session.mediaSessionId, 'No common codecs');
    this.add(session);
    const before = node.playersOf(session.name).length - 1;
    // At the limit the offer gets no answer, as on a server without a free thread.
    if (before >= node.conditions.ceiling) return;
    const tooMany = Math.max(0, before - node.conditions.enoughCpuFor);
    this.after(Math.min(20_000, tooMany * slowerByMs), () => {
      if (!node.streams.has(session.mediaSessionId)) return;
      void Promise.resolve(answer).then(
        (sdp) => this.answered(session, sdp),
        (error: unknown) => this.fail(session.mediaSessionId, (error as Error).message),
      );
    });
  }

  private answered(session: StreamSession, answer: string): void {
    send(this.socket, 'setRemoteSDP', session.mediaSessionId, answer);
    session.status = 'PLAYING';
    session.picture = this.node.published(session.name)?.picture;
    this.tell(session, 'PLAYING');
    if (session.picture)
      send(this.socket, 'outboundVideoRate', {
        mediaSessionId: session.mediaSessionId,
        videoRate: session.picture.videoBps,
        standin: session.picture,
      });
  }

  private publish(argument: ClientMessage['argument']): void {
    const session = this.session(argument, true);
    if (!session) return;
    if (this.node.published(session.name)) return this.fail(session.mediaSessionId, 'Stream name is already in use');
    const answer = answerTo(textOf(argument.sdp) ?? '', mediaPort);
    if (!answer) return this.fail(session.mediaSessionId, 'No common codecs');
    this.add(session);
    send(this.socket, 'setRemoteSDP', session.mediaSessionId, answer);
    session.status = 'PUBLISHING';
    session.picture = picture240p;
    this.tell(session, 'PUBLISHING');
  }

  private stop(argument: ClientMessage['argument'], status: string): void {
    const id = textOf(argument.mediaSessionId) ?? '';
    if (!this.mine.has(id)) return;
    this.mine.delete(id);
    this.node.endStream(id, 'Stopped by user');
    send(this.socket, 'notifyStreamStatusEvent', { mediaSessionId: id, status, info: 'Stopped by user' });
  }

  private passOn(argument: ClientMessage['argument']): void {
    const { mediaSessionId, type, payload } = argument;
    send(this.socket, 'notifyStreamEvent', { mediaSessionId, type, payload });
  }

  private session(argument: ClientMessage['argument'], published: boolean): StreamSession | undefined {
    const mediaSessionId = textOf(argument.mediaSessionId);
    const name = textOf(argument.name);
    if (!mediaSessionId || !name) {
      this.fail(mediaSessionId ?? '', 'MediaSessionId is null');
      return undefined;
    }
    if (this.node.streams.has(mediaSessionId)) {
      this.fail(mediaSessionId, 'MediaSessionId is already in use');
      return undefined;
    }
    return {
      mediaSessionId,
      sessionId: this.sessionId,
      name,
      published,
      status: 'PENDING',
      mediaProvider: 'WebRTC',
      createDate: Date.now(),
      picture: undefined,
      end: (info) => {
        if (!this.mine.delete(mediaSessionId)) return;
        send(this.socket, 'notifyStreamStatusEvent', { mediaSessionId, status: 'STOPPED', info });
      },
    };
  }

  private add(session: StreamSession): void {
    this.mine.add(session.mediaSessionId);
    this.node.streams.set(session.mediaSessionId, session);
  }

  private tell({ mediaSessionId, name }: StreamSession, status: string): void {
    send(this.socket, 'notifyStreamStatusEvent', { mediaSessionId, name, status });
  }

  private fail(mediaSessionId: string, info: string): void {
    send(this.socket, 'notifyStreamStatusEvent', { mediaSessionId, status: 'FAILED', info });
  }

  private after(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      run();
    }, ms);
    this.timers.add(timer);
  }
}
