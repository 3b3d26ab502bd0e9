import { FullhouseError } from '../../../contract/calls';
import type { PolledServer, ServerAccess } from '../adapter';
import { openviduApi, originOf, usualUser, type Api } from './api';
import { connectionsOf, isViewer, sessionView } from './sessionViews';

/** The process that forwards the media, where most of the CPU goes; OpenVidu itself is a Java program beside it. */
const processName = 'kurento-media-server';

/** OpenVidu 2: a session is a stream. Its media flows by its own signalling only, which nothing here speaks. */
export function openviduServer({ who, settings, secrets, http, wall }: ServerAccess): PolledServer {
  const base = originOf(settings.url);
  const api = (): Api => {
    if (base === undefined)
      throw new FullhouseError(
        'bad-address',
        `${who}: OpenVidu's address is missing or no URL; edit the node to give it one.`,
      );
    const secret = secrets().httpPassword;
    if (!secret)
      throw new FullhouseError(
        'needs-secret',
        `${who}: OpenVidu tells nothing without its OPENVIDU_SECRET; enter it as the password.`,
      );
    return openviduApi({ who, http, base, user: settings.user ?? usualUser, secret: () => secret });
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
                'This is the interface for version 2 of an OpenVidu 3; add it as LiveKit to see its traffic and GC pauses.',
              ],
            }
          : {}),
      };
    },
    poll: async () => {
      const sessions = await api().sessions();
      const connections = sessions.flatMap(connectionsOf);
      const sumOf = (key: 'publishers' | 'subscribers'): number =>
        connections.reduce((sum, each) => sum + (each[key]?.length ?? 0), 0);
      return {
        streams: sessions.map((session) => sessionView(session, wall())),
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
