import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { openHttpLink } from '../../links/http/openHttpLink';
import { readTypedAddress } from './typedAddress';
import { typedServer, withoutSecretsElsewhere } from './typedServer';

const ends: Array<() => void> = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

it.each([
  ['Media.test', 'rtmp://MEDIA.test/live', true, true],
  ['10.0.0.9:8080', 'http://10.0.0.9:1985/', true, true],
  ['[2001:DB8::1]:80', 'http://[2001:db8:0::1]/', true, true],
  ['https://media.test', 'https://media.test:9000/', true, true],
  ['https://media.test', 'wss://media.test/', true, true],
  ['https://media.test', 'http://media.test/', true, false],
  ['wss://media.test', 'ws://media.test/', true, false],
  ['http://media.test', 'https://media.test/', true, true],
  ['media.test', 'http://media.test.evil.test/', false, false],
  ['media.test', 'http://media.test@evil.test/', false, false],
])('typed %s: %s is on its host: %s, and may receive credentials: %s', (typed, address, isOn, mayReceive) => {
  const server = typedServer(readTypedAddress(typed));
  expect(server.isOn(new URL(address))).toBe(isOn);
  expect(server.mayReceiveCredentials(new URL(address))).toBe(mayReceive);
});

it('sends secrets in headers, queries and bodies to the typed server only', async () => {
  const received: unknown[] = [];
  const server = createServer((request, response) => {
    received.push([request.headers.authorization, request.headers['x-key'], request.headers['content-type']]);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const other = own.replace('127.0.0.1', 'localhost');
  const typed = typedServer(readTypedAddress(own));
  const link = withoutSecretsElsewhere(openHttpLink({ who: 'edge' }), typed, { httpPassword: 'pl"a nted' });
  ends.push(() => link.close());
  const headers = { Authorization: 'Bearer pl', 'X-Key': 'pl', 'Content-Type': 'application/json' };
  for (const url of [own, other]) await link.text({ url, headers });
  expect(received.splice(0)).toEqual([
    ['Bearer pl', 'pl', 'application/json'],
    [undefined, undefined, 'application/json'],
  ]);
  const query = new URLSearchParams({ token: 'pl"a nted' }).toString();
  const base64 = Buffer.from('pl"a nted').toString('base64');
  for (const request of [
    { url: `${other}?${query}` },
    { method: 'POST' as const, url: other, body: JSON.stringify({ password: 'pl"a nted' }) },
    { method: 'POST' as const, url: other, body: JSON.stringify({ password: base64 }) },
  ]) {
    await expect(link.request(request)).rejects.toMatchObject({ code: 'no-login' });
    await link.request({ ...request, url: request.url.replace(other, own) });
  }
  expect(received).toHaveLength(3);
});
