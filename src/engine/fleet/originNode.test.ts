import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { OriginSettings } from '../../domain/model/nodeSettings';
import { systemClock } from '../base/clock';
import { OwnProcesses } from '../telemetry/ownProcesses';
import { familyOf } from '../servers/families';
import { OriginNode } from './originNode';
import { HostKeyStore } from './hostKeyStore';

let server: Server | undefined;
let node: OriginNode | undefined;
afterEach(async () => {
  await node?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
});

/** An SRS with nothing on it. */
async function emptySrs(): Promise<number> {
  server = createServer((request, response) => {
    const name = /v1\/(\w+)/.exec(request.url ?? '')?.[1] ?? '';
    const answers: Record<string, unknown> = {
      versions: { code: 0, server: 'vid', data: { major: 7, minor: 0, revision: 24, version: '7.0.24' } },
      streams: { code: 0, server: 'vid', streams: [] },
      clients: { code: 0, server: 'vid', clients: [] },
      summaries: { code: 0, server: 'vid', data: { ok: true, now_ms: 1, self: {}, system: {} } },
    };
    if (request.url === '/closed') return void response.writeHead(404).end();
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answers[name] ?? { code: 0 }));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function optionsOf(settings: OriginSettings) {
  return {
    ...{ id: 'srs', written: settings, lacking: undefined, colourSlot: 3, versions: {}, clock: systemClock },
    own: new OwnProcesses(),
    secrets: () => ({}),
    secretKinds: () => [],
    hostKeys: new HostKeyStore({ question: () => undefined, knownTypes: () => [], trust: () => undefined }),
  };
}

it('names a configured source that is silent, and never asks for what is configured', async () => {
  const port = await emptySrs();
  const url = `http://[::ffff:127.0.0.1]:${port}`;
  const closed = `${url}/closed`;
  const settings = { server: 'srs', url, nodeExporter: closed } as const;
  node = new OriginNode(optionsOf(settings), settings, familyOf({ server: 'srs' }));
  const shown = node;
  const messages: string[] = [];
  node.changes.on((change) => {
    if (change.kind === 'message') messages.push(change.sentence);
  });
  await expect
    .poll(() => messages.join(), { timeout: 20_000 })
    .toMatch(/srs: the node_exporter at \S+\/closed answered 404/);
  const { links, problem, note } = shown.view();
  expect(links?.find(({ kind }) => kind === 'metrics')?.problem).toMatch(/answered 404/);
  expect([problem, note].join()).not.toMatch(/add SSH/);
  expect(messages.filter((sentence) => sentence.includes('node_exporter')).length).toBe(1);
});

it('has a note on what to add when only its API is known, and no problem', async () => {
  // Loopback in a form that does not count as this machine, as through a forwarded port.
  const url = `http://[::ffff:127.0.0.1]:${await emptySrs()}`;
  const settings = { server: 'srs', url } as const;
  node = new OriginNode(optionsOf(settings), settings, familyOf({ server: 'srs' }));
  const shown = node;
  await expect.poll(() => shown.view().state, { timeout: 10_000 }).toBe('live');
  expect(shown.view()).toMatchObject({
    note: 'CPU and memory of the host are not measured: add SSH or node_exporter',
    fix: 'add-ssh',
  });
  expect(shown.view().problem).toBeUndefined();
});

it('has a login for addresses on the host of its API only', () => {
  const open = (settings: OriginSettings, httpPassword?: string): OriginNode => {
    const secrets = (): { httpPassword?: string } => (httpPassword === undefined ? {} : { httpPassword });
    const opened = new OriginNode({ ...optionsOf(settings), secrets }, settings, familyOf(settings));
    void opened.close();
    return opened;
  };
  const login = { user: 'viewer', password: 'secret' };
  const srs = { server: 'srs', url: 'http://127.0.0.1:1', user: 'viewer' } as const;
  expect(open(srs, 'secret').loginFor('http://127.0.0.1:8080/rtc')).toEqual(login);
  expect(open(srs, 'secret').loginFor('http://127.0.0.2:1/rtc')).toBeUndefined();
  expect(open(srs).loginFor('http://127.0.0.1:1/rtc')).toBeUndefined();
  const secure = { ...srs, url: 'https://127.0.0.1:1' };
  expect(open(secure, 'secret').loginFor('https://127.0.0.1:8443/rtc')).toEqual(login);
  expect(open(secure, 'secret').loginFor('http://127.0.0.1:8080/rtc')).toBeUndefined();
  expect(open(srs, 'secret').loginFor('https://127.0.0.1:8443/rtc')).toEqual(login);
  const generic = { server: 'generic', whep: 'http://127.0.0.1:2/whep', user: 'viewer' } as const;
  expect(open(generic, 'secret').loginFor('http://127.0.0.1:2/whep')).toEqual(login);
});

it('has the fault of an API with another setting, not that the API is off', async () => {
  const settings = { server: 'mediamtx', url: `https://127.0.0.1:${await emptySrs()}` } as const;
  node = new OriginNode(optionsOf(settings), settings, familyOf(settings));
  const shown = node;
  await expect.poll(() => shown.view().problem, { timeout: 10_000 }).toMatch(/does not support TLS; use http:/);
  expect(shown.serverRemarks()).toEqual([]);
});

it('keeps what its API does not report for the runs that follow', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
  await new Promise((resolve) => closed.close(resolve));
  // Parts with addresses of their own need not respond.
  const keys = ['whep', 'whip', 'hls', 'rtmp', 'rtsp', 'srt'] as const;
  const addresses = Object.fromEntries(keys.map((key) => [key, `http://127.0.0.1:1/{stream}`]));
  const settings = { server: 'mediamtx', url, ...addresses } as const;
  node = new OriginNode(optionsOf(settings), settings, familyOf(settings));
  const shown = node;
  await expect.poll(() => shown.serverRemarks().join(), { timeout: 10_000 }).toMatch(/its API is off; set "api: yes"/);
});
