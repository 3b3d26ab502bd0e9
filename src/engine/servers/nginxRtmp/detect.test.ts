import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../base/clock';
import { openHttpLink } from '../../links/http/openHttpLink';
import type { ServerFound } from '../adapter';
import { detectNginxRtmp } from './detect';

const page = readFileSync(join(__dirname, '../../../../tests/fixtures/nginx-rtmp/http-flv-live.json'));
const ends: Array<() => void> = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** An nginx with nginx-http-flv-module: a stat page in JSON, and HTTP-FLV of one stream at one location. */
async function nginx(location: string): Promise<string> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://nginx');
    if (url.pathname === '/stat.json') return void response.end(page);
    if (url.pathname !== location) return void response.writeHead(404).end();
    if (url.search === '?port=1935&app=live&stream=demo') response.write('FLV\x01');
    return undefined; // a stream has no end, and one that is not published no response
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function look(address: string): Promise<ServerFound | undefined> {
  const http = openHttpLink({ who: 'nginx' });
  ends.push(() => http.close());
  return detectNginxRtmp({ host: '127.0.0.1', url: new URL(address), secrets: {}, http, clock: systemClock });
}

it('finds a stat page in JSON, and HTTP-FLV at a usual location by a published stream', async () => {
  const origin = await nginx('/flv');
  expect(await look(`${origin}/stat.json`)).toMatchObject({
    software: 'nginx-http-flv 1.2.13',
    settings: { url: `${origin}/stat.json`, flv: `${origin}/flv?port=1935&app={app}&stream={stream}` },
  });
});

it('finds the server of a stream over HTTP-FLV, and the addresses of all its streams', async () => {
  const origin = await nginx('/video');
  expect(await look(`${origin}/video?app=show&stream=cam`)).toMatchObject({
    stream: 'show/cam',
    settings: { url: `${origin}/stat.json`, flv: `${origin}/video?app={app}&stream={stream}` },
  });
});
