import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { deleteSession, postOffer } from './signalling';

const ends: Array<() => void> = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

interface ReceivedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

async function origin(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<{ base: string; requests: ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      requests.push({ method: request.method, url: request.url, type: request.headers['content-type'], body });
      answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

it('posts the offer and resolves a relative Location', async () => {
  const { base, requests } = await origin((response) =>
    response.writeHead(201, { Location: '/session/7', 'Content-Type': 'application/sdp' }).end('v=0 answer'),
  );
  expect(await postOffer(`${base}/whep/cam`, 'v=0 offer')).toEqual({
    answerSdp: 'v=0 answer',
    resourceUrl: `${base}/session/7`,
  });
  expect(requests).toEqual([{ method: 'POST', url: '/whep/cam', type: 'application/sdp', body: 'v=0 offer' }]);
});

it('includes the server’s reason for a refusal', async () => {
  const { base } = await origin((response) => response.writeHead(404).end('There is no stream "cam".\n'));
  await expect(postOffer(`${base}/whep/cam`, 'x')).rejects.toMatchObject({
    code: 'http-404',
    message: `${base}/whep/cam refused the offer (HTTP 404): There is no stream "cam".`,
  });
});

it("sends its token, and removes it from the server's error message", async () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmVk';
  const { base } = await origin((response, { headers }) =>
    response.writeHead(401).end(`invalid token: ${headers.authorization?.replace('Bearer ', '')}, error: it is old`),
  );
  await expect(postOffer(`${base}/whip/v1`, 'x', { bearerToken: token })).rejects.toMatchObject({
    message: `${base}/whip/v1 refused the offer (HTTP 401): invalid token: (token), error: it is old`,
  });
});

it('rejects an answer without a session to end', async () => {
  const { base } = await origin((response) => response.writeHead(201).end('v=0'));
  await expect(postOffer(`${base}/whep/cam`, 'x')).rejects.toMatchObject({ code: 'no-location' });
});

it('sends nothing to another origin unless that is allowed', async () => {
  const inner = await origin((response) => response.writeHead(500).end('the inner secret'));
  const offers: Record<string, (response: ServerResponse) => void> = {
    '/location': (response) => response.writeHead(201, { Location: `${inner.base}/admin?token=x` }).end('v=0'),
    '/broken': (response) => response.writeHead(201, { Location: 'http://[' }).end('v=0'),
    '/redirect': (response) => response.writeHead(307, { Location: `${inner.base}/admin` }).end(),
  };
  const { base } = await origin((response, { url }) => offers[url ?? '']?.(response));
  await expect(postOffer(`${base}/location`, 'x', { who: 'edge' })).rejects.toMatchObject({
    code: 'cross-origin',
    message: `${base}/location returned a session on another origin, ${inner.base}, which is not followed; to allow that server, set allowCrossOrigin: true on edge.`,
  });
  await expect(postOffer(`${base}/broken`, 'x')).rejects.toMatchObject({ code: 'no-location' });
  await expect(postOffer(`${base}/redirect`, 'x')).rejects.toMatchObject({
    message: `${base}/redirect redirects the offer to ${inner.base}, which is not followed; enter the target address for the node.`,
  });
  expect(inner.requests).toEqual([]);

  const allowed = await postOffer(`${base}/location`, 'x', { allowCrossOrigin: true });
  expect(allowed.resourceUrl).toBe(`${inner.base}/admin?token=x`);
});

it('ends a session, and accepts that it is gone', async () => {
  let status = 200;
  const { base, requests } = await origin((response) => response.writeHead(status).end());
  await deleteSession(`${base}/session/7`);
  status = 404;
  await deleteSession(`${base}/session/7`);
  status = 500;
  await expect(deleteSession(`${base}/session/7`)).rejects.toMatchObject({ code: 'http-500' });
  expect(requests.map(({ method }) => method)).toEqual(['DELETE', 'DELETE', 'DELETE']);
});

it('names the address that does not respond', async () => {
  await expect(postOffer('http://127.0.0.1:1/whep/cam', 'x')).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:1\/whep\/cam does not respond: .*ECONNREFUSED/,
  );
});
