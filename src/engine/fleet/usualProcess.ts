import type { ServerFamily } from '../../domain/nodeSettings';

/** The media server's process as ps shows it, where settings and server say nothing. */
export const usualProcess: Readonly<Partial<Record<ServerFamily, string>>> = {
  srs: 'srs',
  'nginx-rtmp': 'nginx',
  livekit: 'livekit-server',
  wcs: 'java',
};
