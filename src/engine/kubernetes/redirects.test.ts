import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../base/clock';
import { openCluster } from './clusterClient';

const ends: Array<() => void> = [];
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function kubeconfigFor(server: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-kubeconfig-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'config');
  writeFileSync(
    path,
    `apiVersion: v1
kind: Config
clusters: [{ name: c, cluster: { server: "${server}", insecure-skip-tls-verify: true } }]
users: [{ name: u, user: { token: planted-token } }]
contexts: [{ name: x, context: { cluster: c, user: u } }]
current-context: x
`,
  );
  return path;
}

it('an API server can send the token to no other port of its host', async () => {
  const received: string[] = [];
  const other = await serve((request, response) => {
    received.push(`${request.method ?? ''} ${request.headers.authorization ?? 'no token'}`);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"items":[],"metadata":{}}');
  });
  const asked: string[] = [];
  const server = await serve((request, response) => {
    asked.push(request.headers.authorization ?? 'no token');
    response.writeHead(307, { Location: `${other}${request.url ?? ''}` }).end();
  });
  const cluster = await openCluster({ kubeconfig: kubeconfigFor(server) }, systemClock);
  const sentence = /it redirects to another address, which is not followed/;
  await expect(cluster.version()).rejects.toThrow(sentence);
  await expect(cluster.pods('a=b')).rejects.toThrow(sentence);
  await expect(cluster.deleteJob('x')).rejects.toThrow(sentence);
  await cluster.watchPods('a=b', '1', () => undefined, new AbortController().signal);
  await expect(cluster.connect('pod', 1)).rejects.toThrow();
  expect(asked).toHaveLength(5);
  expect(new Set(asked)).toEqual(new Set(['Bearer planted-token']));
  expect(received).toEqual([]);
});

it('reads what an API server answers, and shortens its message', async () => {
  const server = await serve((request, response) => {
    const isVersion = request.url?.startsWith('/version');
    response.writeHead(isVersion ? 200 : 403, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify(
        isVersion
          ? { gitVersion: 'v1.31.0', major: '1', minor: '31', gitCommit: 'x', gitTreeState: '', buildDate: '' }
          : { kind: 'Status', message: `no\nPASS  forged ${'x'.repeat(5000)}`, code: 403 },
      ),
    );
  });
  const cluster = await openCluster({ kubeconfig: kubeconfigFor(server) }, systemClock);
  expect(await cluster.version()).toBe('v1.31.0');
  const error = await cluster.pods('a=b').catch((reason: unknown) => reason as Error);
  expect((error as Error).message).toMatch(/^The cluster x does not allow to list pods: no\nPASS/);
  expect((error as Error).message.length).toBeLessThan(800);
});
