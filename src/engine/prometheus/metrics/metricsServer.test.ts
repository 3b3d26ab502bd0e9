import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MetricsServer } from './metricsServer';

const servers: MetricsServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

function made(): MetricsServer {
  const server = new MetricsServer({
    now: () => 7,
    families: () => [
      {
        ...{ name: 'fullhouse_load1', factor: 1, otlp: { name: 'fullhouse.load1', unit: '' } },
        ...{ type: 'gauge', help: 'h', values: [{ labels: {}, value: 1 }] },
      },
    ],
  });
  servers.push(server);
  return server;
}

function ask(
  port: number | undefined,
  {
    path = '/metrics',
    method = 'GET',
    headers = {},
  }: { path?: string; method?: string; headers?: Record<string, string> } = {},
): Promise<{ readonly status: number; readonly type: string; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += String(chunk)));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, type: String(answer.headers['content-type']), text }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('the endpoint', () => {
  it('is off, serves GET /metrics once it is on, and is off again', async () => {
    const server = made();
    expect(server.state).toEqual({});
    const { port, address } = await server.start({ port: 0 });
    expect(address).toBe(`http://127.0.0.1:${port}/metrics`);
    expect(await ask(port)).toEqual({
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
      text: '# HELP fullhouse_load1 h\n# TYPE fullhouse_load1 gauge\nfullhouse_load1 1\n',
    });
    expect(server.state.scrapedMs).toBe(7);
    await server.stop();
    expect(server.state).toEqual({});
    await expect(ask(port)).rejects.toThrow('ECONNREFUSED');
  });

  it('refuses other paths, methods and host names', async () => {
    const { port } = await made().start({ port: 0 });
    expect((await ask(port, { path: '/' })).status).toBe(404);
    expect((await ask(port, { path: '/metrics/x' })).status).toBe(404);
    expect((await ask(port, { method: 'POST' })).status).toBe(405);
    for (const host of ['evil.example', 'evil.example:9464', '127.0.0.1.evil.example', '10.0.0.1'])
      expect((await ask(port, { headers: { Host: host } })).status, host).toBe(403);
    for (const host of ['localhost', `127.0.0.1:${port}`, '[::1]:9464'])
      expect((await ask(port, { headers: { Host: host } })).status, host).toBe(200);
  });

  it('requires the token on non-loopback addresses', async () => {
    const { port, token } = await made().start({ port: 0, bind: '0.0.0.0' });
    expect(token?.length).toBeGreaterThanOrEqual(32);
    expect((await ask(port)).status).toBe(401);
    expect((await ask(port, { headers: { Authorization: `Bearer ${token}x` } })).status).toBe(401);
    const right = { Authorization: `Bearer ${token}`, Host: 'tester-7:9464' };
    expect((await ask(port, { headers: right })).status).toBe(200);
  });

  it('is scraped while others hold connections without the token', async () => {
    const { port, token } = await made().start({ port: 0, token: 'a-token-of-the-user-0123' });
    const held = Array.from({ length: 200 }, (_, index) => {
      const socket = connect(port ?? 0, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.resume();
      socket.write(index % 2 ? 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n' : 'GET /metr');
      return socket;
    });
    await vi.waitFor(() => expect(held.filter(({ connecting }) => connecting)).toEqual([]));
    expect((await ask(port, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
    await vi.waitFor(() => expect(held.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(64));
    for (const socket of held) socket.destroy();
  });

  it("reports why it can't start", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    await expect(made().start({ port })).rejects.toThrow(
      `Port ${port} is already in use on this machine; choose another one.`,
    );
    taken.close();
    await expect(made().start({ port: 0, bind: '203.0.113.9' })).rejects.toThrow(
      '203.0.113.9 is not an address of this machine; choose one of its addresses, or 0.0.0.0 for all.',
    );
  });
});
