import type { ServerFamilyModule } from '../adapter';
import { detectNginxRtmp } from './detect';
import { openNginxRtmp } from './nginxServer';

/** nginx with nginx-rtmp-module: its stat page and, where enabled, its control module. */
export const nginxRtmpFamily: ServerFamilyModule = {
  family: 'nginx-rtmp',
  look: detectNginxRtmp,
  open: openNginxRtmp,
};
