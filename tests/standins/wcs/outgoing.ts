import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { readMessage, send, textOf, type ClientMessage } from './message';
import { picture240p, type Picture, type PullAgent, type WcsNode } from './node';
import { offerOf } from './sdp';

const picture = z.object({
  width: z.number(),
  height: z.number(),
  fps: z.number(),
  videoBps: z.number(),
  audioBps: z.number(),
});
const silentAfterMs = 2000;

export interface Terms {
  readonly uri: string;
  readonly localStreamName: string;
  readonly remoteStreamName: string;
}

/**
 * A pull: this node plays a stream of the other as a client, and publishes it here. The local stream exists as soon as
 * the pull does; it has figures once the other node sends.
 */
export function startPull(node: WcsNode, terms: Terms): void {
  const localMediaSessionId = randomUUID();
  const remoteMediaSessionId = randomUUID();
  const link: { socket?: WebSocket } = {};
  let lastMs = 0;
  const watch = setInterval(() => {
    const stream = node.streams.get(localMediaSessionId);
    if (stream?.picture && Date.now() - lastMs > silentAfterMs)
      stream.picture = { ...stream.picture, fps: 0, videoBps: 0, audioBps: 0 };
  }, 500);
  const close = (): void => {
    clearInterval(watch);
    node.dropPull(localMediaSessionId);
    node.endStream(localMediaSessionId, 'Stopped by rest terminate');
    link.socket?.close();
  };
  const agent: PullAgent = {
    ...terms,
    localMediaSessionId,
    remoteMediaSessionId: null,
    status: 'NEW',
    direction: 'pull',
    close,
  };
  node.pulls.set(localMediaSessionId, agent);
  const receive = (seen: Picture): void => {
    // Figures arrive until the other side has closed too.
    if (!node.pulls.has(localMediaSessionId)) return;
    lastMs = Date.now();
    const known = node.streams.get(localMediaSessionId);
    if (known) known.picture = seen;
    else
      node.streams.set(localMediaSessionId, {
        mediaSessionId: localMediaSessionId,
        sessionId: `/127.0.0.1:34001/127.0.0.1:8080`,
        name: terms.localStreamName,
        published: true,
        status: 'PUBLISHING',
        mediaProvider: 'WebRTC',
        createDate: Date.now(),
        hasVideo: true,
        hasAudio: true,
        sdp: offerOf('recvonly'),
        picture: seen,
        end: () => close(),
      });
  };
  if (terms.uri.startsWith('rtmp')) {
    pullByRtmp(terms.uri, agent, receive, close);
    return;
  }
  link.socket = asClient(terms.uri, close, {
    established: (open) => {
      agent.remoteMediaSessionId = remoteMediaSessionId;
      send(open, 'playStream', {
        ...common(remoteMediaSessionId, terms.remoteStreamName, false),
        sdp: offerOf('recvonly'),
      });
    },
    received: ({ message, argument }) => {
      if (message === 'outboundVideoRate') {
        const seen = picture.safeParse(argument.standin);
        if (seen.success) receive(seen.data);
      }
      if (message !== 'notifyStreamStatusEvent') return;
      const status = textOf(argument.status);
      if (status === 'PLAYING') agent.status = 'PROCESSED_REMOTE';
      else if (status === 'FAILED' || status === 'STOPPED') close();
    },
  });
}

/** A push: this node connects to the other and publishes one of its streams there. */
export function startPush(node: WcsNode, terms: Terms): void {
  const localMediaSessionId = randomUUID();
  const remoteMediaSessionId = randomUUID();
  const close = (): void => {
    node.dropPull(localMediaSessionId);
    node.endStream(localMediaSessionId, 'Stopped by rest terminate');
    socket.close();
  };
  const agent: PullAgent = {
    ...terms,
    localMediaSessionId,
    remoteMediaSessionId: null,
    status: 'NEW',
    direction: 'push',
    close,
  };
  node.pulls.set(localMediaSessionId, agent);
  const socket = asClient(terms.uri, close, {
    established: (open) => {
      agent.remoteMediaSessionId = remoteMediaSessionId;
      send(open, 'publishStream', {
        ...common(remoteMediaSessionId, terms.remoteStreamName, true),
        sdp: offerOf('sendonly'),
      });
    },
    received: ({ message, argument }) => {
      if (message !== 'notifyStreamStatusEvent') return;
      const status = textOf(argument.status);
      if (status === 'PUBLISHING') {
        agent.status = 'PROCESSED_REMOTE';
        // For the local publisher the push is a player.
        node.streams.set(localMediaSessionId, {
          mediaSessionId: localMediaSessionId,
          sessionId: '/127.0.0.1:34001/127.0.0.1:8080',
          name: terms.localStreamName,
          published: false,
          status: 'PLAYING',
          mediaProvider: 'WebRTC',
          createDate: Date.now(),
          hasVideo: true,
          hasAudio: true,
          sdp: offerOf('sendonly'),
          picture: node.published(terms.localStreamName)?.picture,
          end: () => close(),
        });
      } else if (status === 'FAILED' || status === 'UNPUBLISHED' || status === 'STOPPED') close();
    },
  });
}

function common(mediaSessionId: string, name: string, published: boolean): Record<string, unknown> {
  return {
    mediaSessionId,
    name,
    published,
    hasVideo: true,
    hasAudio: true,
    status: 'PENDING',
    record: false,
    mediaProvider: 'WebRTC',
  };
}

/** Connects like any client: `connection`, then the messages of `established`. */
function asClient(
  uri: string,
  close: () => void,
  on: { established: (socket: WebSocket) => void; received: (message: ClientMessage) => void },
): WebSocket {
  const socket = new WebSocket(uri);
  socket.on('open', () =>
    send(socket, 'connection', {
      appKey: 'defaultApp',
      mediaProviders: ['WebRTC'],
      clientVersion: '2.0',
      clientOSVersion: 'standin',
      clientBrowserVersion: 'standin',
    }),
  );
  socket.on('message', (data, isBinary) => {
    const message = readMessage(data, isBinary);
    if (!message) return;
    if (message.message === 'ping') return send(socket, 'pong', null);
    if (message.message === 'getUserData') return on.established(socket);
    // In place of media: from here on this side receives, or sends.
    if (message.message === 'setRemoteSDP') return send(socket, 'standinMedia', { mediaSessionId: message.all[0] });
    on.received(message);
  });
  socket.on('error', close);
  socket.on('close', close);
  return socket;
}

/** An RTMP pull is only a connection: any listener counts as a server with the stream. */
function pullByRtmp(uri: string, agent: PullAgent, receive: (seen: Picture) => void, close: () => void): void {
  const { hostname, port } = new URL(uri.replace(/^rtmps?:/, 'http:'));
  const socket = connect(Number(port || 1935), hostname);
  socket.on('connect', () => {
    agent.status = 'PROCESSED_REMOTE';
    receive(picture240p);
    const media = setInterval(() => receive(picture240p), 500);
    socket.on('close', () => clearInterval(media));
  });
  socket.on('error', close);
  socket.on('close', close);
  const end = agent.close;
  Object.assign(agent, {
    close: () => {
      socket.destroy();
      end();
    },
  });
}
