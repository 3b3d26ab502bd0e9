import { randomUUID } from 'node:crypto';
import type { Conditions } from './conditions';
import { picture240p, WcsNode, type Picture } from './node';
import { serveRest } from './rest';
import { serveSignalling } from './signalling';

/**
 * A WCS without media: REST, statistics and the WebSocket protocol of clients, as far as load tests and the vendor's
 * own web client use them. Pulls and pushes between two stand-ins really connect, so the counts of both sides are
 * consistent.
 */
export interface StandinWcs {
  /** `http://127.0.0.1:PORT`, the REST API and the statistics. */
  readonly url: string;
  /** `ws://127.0.0.1:PORT`. */
  readonly ws: string;
  readonly node: WcsNode;
  readonly conditions: Conditions;
  /** Publishes a stream like an RTMP encoder; returns its session. */
  publish(name: string, picture?: Partial<Picture>): string;
  /** Closes all WebSocket connections without notice. */
  dropConnections(): void;
  close(): Promise<void>;
}

export async function startStandinWcs(conditions: Partial<Conditions> = {}): Promise<StandinWcs> {
  const node = new WcsNode();
  Object.assign(node.conditions, conditions);
  const [rest, signalling] = await Promise.all([serveRest(node), serveSignalling(node)]);
  return {
    url: `http://127.0.0.1:${rest.port}`,
    ws: `ws://127.0.0.1:${signalling.port}`,
    node,
    conditions: node.conditions,
    publish: (name, picture = {}) => {
      const mediaSessionId = randomUUID();
      node.streams.set(mediaSessionId, {
        mediaSessionId,
        sessionId: '/10.0.0.9:50123/127.0.0.1:1935',
        name,
        published: true,
        status: 'PUBLISHING',
        mediaProvider: 'Flash',
        hasVideo: true,
        hasAudio: true,
        sdp: '',
        createDate: Date.now(),
        picture: { ...picture240p, ...picture },
        end: () => undefined,
      });
      return mediaSessionId;
    },
    dropConnections: () => signalling.drop(),
    close: async () => {
      for (const pull of [...node.pulls.values()]) pull.close();
      await Promise.all([rest.close(), signalling.close()]);
    },
  };
}
