import type { HttpLink } from '../../links/http/httpLink';

/** Figures that servers report over HTTP, for rules; read from the node's configured address. */
export const apis = {
  'wcs ports': '/?action=stat&format=json&groups=port_stats',
} as const satisfies Readonly<Record<string, string>>;

export type ApiName = keyof typeof apis;

/** The text of a response. Rejects with the link's message. */
export function readApi(http: HttpLink, name: ApiName, signal: AbortSignal): Promise<string> {
  return http.text({ url: apis[name], signal });
}
