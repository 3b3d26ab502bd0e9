import type { HttpLink } from '../../links/http/httpLink';

/** What servers tell of themselves over HTTP, for rules; asked of the address that the node has anyway. */
export const apis = {
  'wcs ports': '/?action=stat&format=json&groups=port_stats',
} as const satisfies Readonly<Record<string, string>>;

export type ApiName = keyof typeof apis;

/** The text of an answer. Rejects with the link's sentence. */
export function askApi(http: HttpLink, name: ApiName, signal: AbortSignal): Promise<string> {
  return http.text({ url: apis[name], signal });
}
