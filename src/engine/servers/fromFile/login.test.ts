import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../base/clock';
import { openHttpLink } from '../../links/http/openHttpLink';
import { familyOf } from '../families';

/** The login and the streams of a Node-Media-Server, with one user. */
class TokenServer {
  readonly logins: string[] = [];
  private token = 'first';
  private readonly server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (data: Buffer) => (body += data.toString()));
    request.on('end', () => {
      const reply = (status: number, content: unknown): void => {
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content));
      };
      if (request.url === '/api/v1/login') {
        this.logins.push(body);
        return body === '{"username":"admin","password":"right"}'
          ? reply(200, { data: { token: this.token } })
          : reply(401, { success: false });
      }
      if (request.headers.authorization !== `Bearer ${this.token}`) return reply(401, { success: false });
      return reply(200, { data: { streams: [{ app: 'live', name: 'cam', status: 'publishing' }], total: 1 } });
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** As after its restart. */
  forgetTokens(): void {
    this.token = 'second';
  }

  end(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const servers: Array<{ end: () => void }> = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.end();
});

async function opened(password: () => string): Promise<{
  readonly server: TokenServer;
  readonly poll: () => Promise<string>;
}> {
  const server = new TokenServer();
  servers.push(server);
  const url = await server.start();
  const http = openHttpLink({ who: 'origin', basic: { user: 'admin', password: password() } });
  servers.push({ end: () => http.close() });
  const polled = familyOf({ server: 'node-media-server' }).open({
    who: 'origin',
    settings: { server: 'node-media-server', url, user: 'admin' },
    secrets: () => ({ httpPassword: password() }),
    http,
    clock: systemClock,
  });
  const poll = (): Promise<string> =>
    polled.poll().then(
      ({ streams }) => streams.map(({ stream }) => stream).join(),
      (error: Error) => error.message,
    );
  return { server, poll };
}

it('logs in once for all requests, and again when the server refuses the token', async () => {
  const { server, poll } = await opened(() => 'right');
  expect(await poll()).toBe('cam');
  expect(await poll()).toBe('cam');
  expect(server.logins).toHaveLength(1);
  server.forgetTokens();
  expect(await poll()).toBe('cam');
  expect(server.logins).toHaveLength(2);
});

it('sends refused credentials once, since servers lock users after some', async () => {
  let password = 'wrong';
  const { server, poll } = await opened(() => password);
  expect(await poll()).toContain('HTTP 401');
  expect(await poll()).toContain('HTTP 401');
  expect(server.logins).toHaveLength(1);
  password = 'right';
  expect(await poll()).toBe('cam');
});
