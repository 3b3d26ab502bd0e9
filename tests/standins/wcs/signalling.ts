import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { readMessage, send, textOf, type ClientMessage } from './message';
import { picture240p, type Picture, type StreamSession, type WcsNode } from './node';
import type { AnsweredOffer } from './media';

/** The WebSocket port of a stand-in: what browsers and other servers connect to. */
export interface Signalling {
  readonly port: number;
  /** Closes every connection without notice. */
  drop(): void;
  close(): Promise<void>;
}

/** Each player beyond the CPU limit delays responses by this. */
const slowerByMs = 40;
/** Between two questions whether media flows. */
const flowCheckMs = 50;
const missedPings = 3;

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
  /** Sessions of which another stand-in reports media. */
  private readonly receiving = new Set<string>();
  private unanswered = 0;
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly node: WcsNode,
    private readonly socket: WebSocket,
    private readonly sessionId: string,
  ) {}

  take({ message, argument, all }: ClientMessage): void {
    this.node.messages.set(message, argument);
    if (message === 'ping') return send(this.socket, 'pong', null);
    if (message === 'pong') return void (this.unanswered = 0);
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
      case 'standinMedia':
        return void this.receiving.add(textOf(argument.mediaSessionId) ?? '');
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
    this.ping();
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
    this.add(session);
    const before = node.playersOf(session.name).length - 1;
    // At the limit the offer gets no answer, as on a server without a free thread.
    if (before >= node.conditions.ceiling) return;
    const tooMany = Math.max(0, before - node.conditions.enoughCpuFor);
    this.after(Math.min(20_000, tooMany * slowerByMs), () => void this.answer('play', session));
  }

  private publish(argument: ClientMessage['argument']): void {
    const session = this.session(argument, true);
    if (!session) return;
    if (this.node.published(session.name)) return this.fail(session.mediaSessionId, 'Stream name is already in use');
    this.add(session);
    void this.answer('publish', session);
  }

  private async answer(kind: 'play' | 'publish', session: StreamSession): Promise<void> {
    const { mediaSessionId, name, sdp } = session;
    const isOpen = (): boolean => this.node.streams.get(mediaSessionId) === session;
    let answered: AnsweredOffer;
    try {
      answered = await this.node.media(kind, name, sdp);
    } catch (error) {
      return this.lose(session, (error as Error).message);
    }
    if (!isOpen()) return;
    send(this.socket, 'setRemoteSDP', mediaSessionId, answered.answerSdp);
    const answeredMs = Date.now();
    const check = async (): Promise<void> => {
      const flows = this.receiving.has(mediaSessionId) || (await answered.flows());
      if (!isOpen()) return;
      if (flows) return this.begin(session);
      if (Date.now() - answeredMs >= this.node.conditions.iceTimeoutMs)
        return this.lose(session, 'Failed by ICE timeout');
      this.after(flowCheckMs, () => void check());
    };
    await check();
  }

  /** Its media flows. */
  private begin(session: StreamSession): void {
    session.status = session.published ? 'PUBLISHING' : 'PLAYING';
    session.picture = session.published ? picture240p : this.node.published(session.name)?.picture;
    this.tell(session, session.status);
    if (!session.published && session.picture)
      send(this.socket, 'outboundVideoRate', {
        mediaSessionId: session.mediaSessionId,
        videoRate: session.picture.videoBps,
        standin: session.picture,
      });
  }

  /** Ends a session that was accepted. */
  private lose({ mediaSessionId }: StreamSession, info: string): void {
    this.mine.delete(mediaSessionId);
    this.node.endStream(mediaSessionId, info);
    this.fail(mediaSessionId, info);
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

  private ping(): void {
    this.after(this.node.conditions.pingMs, () => {
      if (this.unanswered >= missedPings) return this.socket.close();
      this.unanswered += 1;
      send(this.socket, 'ping', null);
      this.ping();
    });
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
      hasVideo: argument.hasVideo !== false,
      hasAudio: argument.hasAudio !== false,
      sdp: textOf(argument.sdp) ?? '',
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
