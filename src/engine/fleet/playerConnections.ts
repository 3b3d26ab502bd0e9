import WebSocket from 'ws';
import { webSocketAgent } from '../links/http/proxyTunnel';
import type { CallInput } from '../../contract/engine';
import { FullhouseError } from '../../contract/calls';
import type { Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import { startFfmpeg, streamInput } from '../base/ffmpeg';
import { withoutTokens } from '../links/withoutTokens';
import { httpOf, requireOwnAddress, type NodeWithHttp } from './playerMedia';

type Order = Omit<CallInput<'player.connect'>, 'node'> & { readonly node: NodeWithHttp };

interface Connection {
  readonly node: NodeWithHttp;
  /** Whether it belongs to a publication, which is no player. */
  readonly isPublisher?: boolean;
  send?(data: string | Uint8Array): void;
  end(): void;
}

const timeoutMs = 8000;
/** Timeout of a repackaged stream, which is probed first. */
const repackagingTimeoutMs = 12_000;
/** Codes of RFC 6455, 7.4.1. */
const normalClosure = 1000;
const abnormalClosure = 1006;
/** A token is valid for a connection that begins within this time. */
const tokenWithinMs = 60_000;
/** What the window writes in place of a token, which it never has. */
const tokenParameter = 'access_token';

/** The token of a publication in a room; undefined when it has ended. */
export type RoomToken = (session: string, node: NodeWithHttp) => string | undefined;

/**
 * The connections that the engine opens for the control player, each of which is one viewer of its node, and for
 * publications in rooms.
 */
export class PlayerConnections {
  readonly data = new Emitter<{ connection: string; data: string | Uint8Array }>();
  readonly closed = new Emitter<{ connection: string; code: number; sentence?: string }>();
  private readonly connections = new Map<string, Connection>();

  constructor(
    private readonly roomToken: RoomToken,
    private readonly clock: Clock,
  ) {}

  /** Resolves with the HTTP status when the connection is open. Rejects with a sentence. */
  async open(order: Order): Promise<number> {
    const { node, stream, url, kind, connection } = order;
    if (this.connections.has(connection))
      throw new FullhouseError('in-use', `The player has a connection ${connection} already.`);
    const address = requireOwnAddress(node, stream, url);
    if (kind === 'http') return this.openHttp(order);
    return kind === 'websocket' ? this.openWebSocket(order, address) : this.openRepackager(order);
  }

  has(connection: string): boolean {
    return this.connections.has(connection);
  }

  /** Throws a sentence when the connection can't send. */
  send(connection: string, data: string | Uint8Array): void {
    const known = this.connections.get(connection);
    if (!known?.send) throw new FullhouseError('closed', 'The connection of the player has been closed.');
    known.send(data);
  }

  /** Closes a connection; one that has ended already is fine. */
  close(connection: string): void {
    const known = this.connections.get(connection);
    this.connections.delete(connection);
    known?.end();
  }

  /** Players with a connection to a node. */
  playersOf(node: NodeWithHttp): number {
    return [...this.connections.values()].filter((connection) => connection.node === node && !connection.isPublisher)
      .length;
  }

  /** Closes the connections to a node that has ended. */
  forget(node: NodeWithHttp): void {
    for (const [id, { node: to }] of this.connections)
      if (to === node) {
        this.close(id);
        this.closed.emit({ connection: id, code: abnormalClosure, sentence: `${node.id} is no longer connected.` });
      }
  }

  /** Reports the end of a connection that the window has not closed. */
  private ended(connection: string, code: number, sentence?: string): void {
    if (!this.connections.delete(connection)) return;
    this.closed.emit({ connection, code, ...(sentence === undefined ? {} : { sentence }) });
  }

  private received(connection: string, data: string | Uint8Array): void {
    if (this.connections.has(connection)) this.data.emit({ connection, data });
  }

  private openHttp({ node, connection, url }: Order): Promise<number> {
    // First, since it throws where the node has no HTTP: such a connection is not open.
    const http = httpOf(node);
    const ending = new AbortController();
    this.connections.set(connection, { node, end: () => ending.abort() });
    return new Promise((resolve, reject) => {
      const stream = {
        begin: resolve,
        data: (chunk: Buffer) => this.received(connection, new Uint8Array(chunk)),
      };
      http.request({ url, stream, timeoutMs, signal: ending.signal }).then(
        ({ status }) => {
          // A redirect that is not followed is not streamed.
          resolve(status);
          this.ended(connection, normalClosure);
        },
        (error: Error) => {
          this.ended(connection, abnormalClosure, error.message);
          reject(error);
        },
      );
    });
  }

  private openWebSocket(order: Order, address: URL): Promise<number> {
    const { node, connection, session } = order;
    if (address.searchParams.has(tokenParameter)) address.searchParams.set(tokenParameter, this.tokenFor(order));
    const { selfSigned, proxy } = node.settings;
    const socket = new WebSocket(address, {
      handshakeTimeout: timeoutMs,
      rejectUnauthorized: selfSigned !== true,
      agent: webSocketAgent(address, proxy, node.id),
    });
    socket.binaryType = 'nodebuffer';
    this.connections.set(connection, {
      node,
      send: (data) => socket.send(data),
      end: () => socket.close(),
      isPublisher: session !== undefined,
    });
    socket.on('message', (data: Buffer, isBinary) =>
      this.received(connection, isBinary ? new Uint8Array(data) : data.toString('utf8')),
    );
    return new Promise((resolve, reject) => {
      let fault: string | undefined;
      socket.on('open', () => resolve(101));
      socket.on('error', (error) => (fault = `${node.id}: ${withoutTokens(error.message)}.`));
      socket.on('close', (code) => {
        this.ended(connection, code, fault);
        reject(new FullhouseError('closed', fault ?? `${node.id} closed the connection of the player.`));
      });
    });
  }

  private tokenFor({ node, stream, session }: Order): string {
    if (session !== undefined) {
      const token = this.roomToken(session, node);
      if (token === undefined) throw new FullhouseError('ended', `The publication of ${stream} has ended.`);
      return token;
    }
    const [token] = node.server.addresses(stream).viewerTokens?.(1, tokenWithinMs) ?? [];
    if (token !== undefined) return token;
    throw new FullhouseError('needs-secret', `${node.id} needs an API key and secret for the player; enter them.`);
  }

  /** Its output begins when the server has sent the first packets. */
  private openRepackager({ node, connection, stream, url }: Order): Promise<number> {
    const input = streamInput(url, inputOptions(url));
    const output = ['-map', '0:v?', '-map', '0:a?', '-c', 'copy', '-f', 'mpegts', '-flush_packets', '1', 'pipe:1'];
    const { child, closed } = startFfmpeg([...input.args, ...output], {
      missing: 'This protocol is repackaged by ffmpeg for the player, and this machine has none; install it.',
      ended: (words) => `${node.id} ended ${stream}, or does not send it: ${words}.`,
    });
    child.stdin.end(input.script);
    this.connections.set(connection, { node, end: () => child.kill('SIGKILL') });
    return new Promise((resolve, reject) => {
      const fail = (sentence: string): void => {
        cancelLimit();
        this.ended(connection, abnormalClosure, sentence);
        child.kill('SIGKILL');
        reject(new FullhouseError('not-played', sentence));
      };
      const cancelLimit = this.clock.after(repackagingTimeoutMs, () =>
        fail(`${node.id} sent no media of ${stream} within ${repackagingTimeoutMs / 1000} s.`),
      );
      child.stdout.on('data', (chunk: Buffer) => {
        cancelLimit();
        resolve(200);
        this.received(connection, new Uint8Array(chunk));
      });
      void closed.then(fail);
    });
  }
}

/**
 * RTSP over TCP: UDP from a server behind NAT does not arrive. Probing ends once audio and video are known; a server may
 * send video only from the next keyframe on.
 */
function inputOptions(url: string): Readonly<Record<string, string>> {
  const probing = { fflags: 'nobuffer', probesize: '2000000', analyzeduration: '5000000' };
  return /^rtsps?:/.test(url) ? { rtsp_transport: 'tcp', ...probing } : probing;
}
