import type { ServerFamilyModule } from '../adapter';
import { lookForNginxRtmp } from './look';
import { openNginxRtmp } from './nginxServer';

/** nginx with nginx-rtmp-module: its stat page and, where it is on, its control module. */
export const nginxRtmpFamily: ServerFamilyModule = {
  family: 'nginx-rtmp',
  look: lookForNginxRtmp,
  open: openNginxRtmp,
};
