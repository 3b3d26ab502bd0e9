import type { HttpLink, HttpRequest, HttpResponse } from '../../links/http/httpLink';

/**
 * A link whose equal GET requests are sent once: at an entered port most families ask for the same page. For one probe,
 * since a response is kept for as long as the link.
 */
export function withSharedGets(http: HttpLink): HttpLink {
  const sent = new Map<string, Promise<HttpResponse>>();
  const request = (asked: HttpRequest): Promise<HttpResponse> => {
    const isShareable = (asked.method ?? 'GET') === 'GET' && asked.stream === undefined && asked.signal === undefined;
    if (!isShareable) return http.request(asked);
    const key = JSON.stringify(asked);
    const response = sent.get(key) ?? http.request(asked);
    sent.set(key, response);
    return response;
  };
  return { ...http, request };
}
