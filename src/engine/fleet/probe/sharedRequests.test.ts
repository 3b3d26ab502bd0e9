import { expect, it } from 'vitest';
import type { HttpLink, HttpRequest } from '../../links/http/httpLink';
import { withSharedGets } from './sharedRequests';

it('sends equal GET requests once, and all others each time', async () => {
  const sent: HttpRequest[] = [];
  const http: HttpLink = {
    request: (request) => {
      sent.push(request);
      return request.url.endsWith('/down')
        ? Promise.reject(new Error('refused'))
        : Promise.resolve({ status: 200, headers: {}, body: request.url, tookMs: 1 });
    },
    json: () => Promise.reject(new Error('not used')),
    text: () => Promise.reject(new Error('not used')),
    close: () => undefined,
  };
  const link = withSharedGets(http);
  const page = { url: 'http://h/', timeoutMs: 4000 };
  const both = await Promise.all([link.request(page), link.request({ ...page })]);
  expect(both.map(({ body }) => body)).toEqual(['http://h/', 'http://h/']);
  await link.request({ ...page, method: 'GET', firstBytes: 1 });
  expect(sent).toHaveLength(2);
  for (let time = 0; time < 2; time += 1) await link.request({ ...page, method: 'OPTIONS' });
  expect(sent).toHaveLength(4);
  for (let time = 0; time < 2; time += 1)
    await expect(link.request({ url: 'http://h/down' })).rejects.toThrow('refused');
  expect(sent).toHaveLength(5);
});
