import type { ExporterFamily } from '../../../domain/model/imported';

export const familyNames: Readonly<Record<ExporterFamily, string>> = {
  node_exporter: 'host',
  wcs: 'WCS',
  srs: 'SRS',
  livekit: 'LiveKit',
  fullhouse: 'Fullhouse',
};
