import { openHttpLink } from '../../src/engine/links/http/openHttpLink';
import type { HttpLink } from '../../src/engine/links/http/httpLink';
import { wcsRest, type WcsRest } from '../../src/engine/servers/wcs/wcsRest';
import { startStandinWcs, type StandinWcs } from '../standins/wcs';
import type { Conditions } from '../standins/wcs/conditions';

import { later } from './undo';

export { cleanUp, later } from './undo';

export async function standin(conditions: Partial<Conditions> = {}): Promise<StandinWcs> {
  const server = await startStandinWcs(conditions);
  later(() => server.close());
  return server;
}

export function link(who = 'wcs-1'): HttpLink {
  const http = openHttpLink({ who });
  later(() => http.close());
  return http;
}

export function restOf(server: StandinWcs, who = 'wcs-1'): WcsRest {
  return wcsRest({ http: link(who), who, url: server.url });
}
