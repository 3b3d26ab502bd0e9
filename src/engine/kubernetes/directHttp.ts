import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { KubeConfig, RequestContext, ResponseContext } from '@kubernetes/client-node';
import type * as client from './library';

/** Lists of a large namespace have some megabytes; anything far beyond is not an answer of Kubernetes. */
const maxBytes = 64 * 2 ** 20;

/**
 * The requests of the official client without redirects. Its own follow them, and keep token and certificate for every
 * port of the server's host; an API server has no reason to redirect.
 */
export function directHttp({ ResponseContext, wrapHttpLibrary }: typeof client) {
  return wrapHttpLibrary({
    send: (context) =>
      new Promise<ResponseContext>((resolve, reject) => {
        const url = new URL(context.getUrl());
        const request = (url.protocol === 'https:' ? secureRequest : plainRequest)(
          url,
          {
            method: context.getHttpMethod(),
            headers: context.getHeaders(),
            agent: context.getAgent(),
            signal: context.getSignal(),
          },
          (response) => {
            const chunks: Buffer[] = [];
            let size = 0;
            response.on('data', (chunk: Buffer) => {
              chunks.push(chunk);
              size += chunk.length;
              if (size > maxBytes) request.destroy(new Error('its response is too long'));
            });
            response.on('error', reject);
            response.on('end', () => {
              const body = Buffer.concat(chunks);
              const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
              resolve(
                new ResponseContext(response.statusCode ?? 0, Object.fromEntries(headers) as Record<string, string>, {
                  text: () => Promise.resolve(body.toString('utf8')),
                  binary: () => Promise.resolve(body),
                }),
              );
            });
          },
        );
        request.on('error', reject);
        const body: ReturnType<RequestContext['getBody']> = context.getBody();
        request.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : undefined);
      }),
  });
}

/** Lets watches follow no redirects: the client requests them in another way. */
export function withoutRedirects(config: KubeConfig): KubeConfig {
  const options = config.applyToFetchOptions.bind(config);
  config.applyToFetchOptions = async (given) => Object.assign(await options(given), { redirect: 'manual' });
  return config;
}
