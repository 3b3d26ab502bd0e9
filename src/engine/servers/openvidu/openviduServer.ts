import { FullhouseError } from '../../../contract/calls';
import { secretFix } from '../../base/secretPlace';
import type { PolledServer, ServerAccess } from '../adapter';
import { openviduApi, originOf, defaultUser, type Api } from './api';
import { connectionsOf, isViewer, sessionView } from './sessionViews';

/** The process that forwards the media and uses most CPU; OpenVidu itself is a separate Java program. */
const processName = 'kurento-media-server';

/** OpenVidu 2: a session is a stream. Media is available over its own signalling only, which is not supported here. */
export function openviduServer({ who, settings, secrets, http, clock, remark }: ServerAccess): PolledServer {
  const base = originOf(settings.url);
  const api = (): Api => {
    if (base === undefined)
      throw new FullhouseError(
        'bad-address',
        `${who}: OpenVidu's address is missing or not a URL; edit the node to correct it.`,
      );
    const secret = secrets().httpPassword;
    if (!secret)
      throw new FullhouseError(
        'needs-secret',
        `${who}: OpenVidu requires OPENVIDU_SECRET; ${secretFix(who, 'httpPassword', 'enter it as the password')}.`,
      );
    return openviduApi({ who, http, base, user: settings.user ?? defaultUser, secret: () => secret, remark });
  };
  return {
    family: 'openvidu',
    capabilities: {
      publish: [],
      pull: [],
      play: [],
      serves: [],
      measure: ['streams', 'viewers'],
      terminate: true,
    },
    identify: async () => {
      const version = await api().version();
      return {
        software: `OpenVidu ${version}`,
        process: processName,
        ...(/^[3-9]\./.test(version)
          ? {
              remarks: [
                'This is the version 2 interface of an OpenVidu 3; add it as LiveKit to see its traffic and GC pauses.',
              ],
            }
          : {}),
      };
    },
    poll: async () => {
      const sessions = await api().sessions();
      const connections = sessions.flatMap(connectionsOf);
      const sumOf = (key: 'publishers' | 'subscribers'): number =>
        connections.reduce((sum, connection) => sum + (connection[key]?.length ?? 0), 0);
      return {
        streams: sessions.map((session) => sessionView(session, clock.wall())),
        values: {
          originStreams: sessions.length,
          originViewers: connections.filter(isViewer).length,
          originConnections: connections.length,
          'server:publishers': sumOf('publishers'),
          'server:subscriptions': sumOf('subscribers'),
        },
      };
    },
    addresses: () => ({ play: {}, publish: {} }),
    terminate: async (session) => api().closeSession(session),
  };
}
