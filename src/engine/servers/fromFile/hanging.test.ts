import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../base/clock';
import { openHttpLink } from '../../links/http/openHttpLink';
import { familyOf } from '../families';

const ends: Array<() => void> = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** The API of a MediaMTX that can be made to hang: connections are accepted, and nothing is answered. */
async function startServer(): Promise<{ readonly url: string; readonly hang: () => void }> {
  let isHanging = false;
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (isHanging) return void waiting.push(response);
    const body = request.url?.startsWith('/v3/info') === true ? { version: 'v1.20.1' } : { items: [] };
    response.writeHead(200, { 'Content-Type': 'application/json', Server: 'mediamtx' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, hang: () => (isHanging = true) };
}

it('a server that hangs does not respond, although its ports accept connections', async () => {
  const { url, hang } = await startServer();
  const http = openHttpLink({ who: 'origin' });
  ends.push(() => http.close());
  const settings = {
    server: 'mediamtx',
    url,
    ...{ whep: `${url}/{stream}/whep`, hls: `${url}/{stream}/index.m3u8` },
  } as const;
  const server = familyOf({ server: 'mediamtx' }).open({
    who: 'origin',
    settings,
    http,
    secrets: () => ({}),
    clock: systemClock,
  });
  expect((await server.poll()).values).toMatchObject({ originStreams: 0 });
  hang();
  await expect(server.poll()).rejects.toThrow(/did not respond within 5 s/);
}, 15_000);
