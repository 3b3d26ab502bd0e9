import { randomUUID } from 'node:crypto';
import { picture240p, type WcsNode } from './node';
import { conflict, done, faulty, fits, listed, notFound, type RestMethod } from './restAnswer';

/** `/push`, `/rtsp`, `/connection` and `/cdn`. Pushes and cameras are only stored and listed, without media. */
export function otherMethods(node: WcsNode): Record<string, RestMethod> {
  return {
    '/push/startup': ({ streamName, rtmpUrl }) => {
      if (typeof streamName !== 'string' || typeof rtmpUrl !== 'string') return faulty;
      const there = [...node.pushes.values()].some((push) => fits(push, { streamName: `rtmp_${streamName}`, rtmpUrl }));
      if (there) return conflict;
      const push = { mediaSessionId: randomUUID(), streamName: `rtmp_${streamName}`, rtmpUrl };
      node.pushes.set(push.mediaSessionId, push);
      return {
        status: 200,
        body: { ...push, width: 320, height: 240, muted: false, soundEnabled: false, options: {} },
      };
    },
    '/push/find': (given) => listed([...node.pushes.values()].filter((push) => fits(push, given))),
    '/push/find_all': () => listed([...node.pushes.values()]),
    '/push/terminate': ({ mediaSessionId }) => (node.pushes.delete(String(mediaSessionId)) ? done : notFound),
    '/push/mute': ({ mediaSessionId }) => (node.pushes.has(String(mediaSessionId)) ? done : notFound),
    '/push/unmute': ({ mediaSessionId }) => (node.pushes.has(String(mediaSessionId)) ? done : notFound),

    '/rtsp/startup': ({ uri }) => {
      if (typeof uri !== 'string' || !uri.startsWith('rtsp')) return faulty;
      if (node.rtsp.has(uri)) return conflict;
      node.rtsp.set(uri, { uri, status: 'PLAYING' });
      const mediaSessionId = `rtsp ${uri}`;
      node.streams.set(mediaSessionId, {
        ...{ mediaSessionId, sessionId: mediaSessionId, name: uri, published: true, status: 'PUBLISHING' },
        ...{ mediaProvider: 'RTSP', hasVideo: true, hasAudio: true, sdp: '', createDate: Date.now() },
        picture: picture240p,
        end: () => undefined,
      });
      return done;
    },
    '/rtsp/find': (given) => listed([...node.rtsp.values()].filter((agent) => fits(agent, given))),
    '/rtsp/find_all': () => listed([...node.rtsp.values()]),
    '/rtsp/terminate': ({ uri }) => {
      node.endStream(`rtsp ${String(uri)}`, 'Stopped by rest terminate');
      return node.rtsp.delete(String(uri)) ? done : notFound;
    },

    '/connection/find_all': () => listed(connections(node)),
    '/connection/find': (given) => listed(connections(node).filter((connection) => fits(connection, given))),
    '/connection/terminate': ({ sessionId }) => {
      const connection = node.connections.get(String(sessionId));
      connection?.close();
      return connection ? done : notFound;
    },
    '/connection/set_log_level': ({ sessionId }) => (node.connections.has(String(sessionId)) ? done : notFound),

    '/cdn/show_routes': () => ({
      status: 200,
      body: Object.fromEntries(
        [...node.streams.values()]
          .filter(({ published }) => published)
          .map(({ name }, index) => [`${index + 1}-standin-2`, name]),
      ),
    }),
  };
}

function connections(node: WcsNode): Array<Record<string, unknown>> {
  return [...node.connections.values()].map(({ sessionId, appKey, clientVersion }) => ({
    custom: {},
    nodeId: node.nodeId,
    appKey,
    sessionId,
    clientVersion,
    mediaProviders: ['WebRTC'],
    status: 'ESTABLISHED',
    sipRegisterRequired: false,
    sipLogin: '',
    width: 0,
    height: 0,
    supportedResolutions: '0x0',
    useProxy: false,
    useDTLS: true,
    useWsTunnel: false,
  }));
}
