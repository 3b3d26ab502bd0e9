import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../base/clock';
import { postJson } from './postJson';

/** Answers with the status in its path, and a place for redirects. */
const received: string[] = [];
const server = createServer((request, response) => {
  received.push(request.url ?? '');
  response.writeHead(Number(request.url?.slice(1)), { location: '/200' }).end();
});
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => server.close());

const post = (status: number): Promise<void> =>
  postJson(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/${status}`,
    { a: 1 },
    { clock: systemClock, timeoutMs: 5000 },
  );

it.each([200, 201, 202, 204])('HTTP %i is delivered', async (status) => {
  await expect(post(status)).resolves.toBeUndefined();
});

it.each([301, 302, 303, 307, 308])('HTTP %i is not, since nothing is sent to the other address', async (status) => {
  received.length = 0;
  await expect(post(status)).rejects.toThrow(`it redirects (HTTP ${status}) to another address; enter the final one.`);
  expect(received).toEqual([`/${status}`]);
});

it.each([400, 404, 500])('HTTP %i is not', async (status) => {
  await expect(post(status)).rejects.toThrow(`it responded with HTTP ${status}.`);
});
