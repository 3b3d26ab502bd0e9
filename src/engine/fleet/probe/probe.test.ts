import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ProbeView } from '../../../domain/model/probe';
import { systemClock } from '../../base/clock';
import type { LoadDriver } from '../../load/driver';
import { HostKeyStore } from '../hostKeyStore';
import type { ProbeOrder } from './hostProbe';
import { Probe } from './probe';

const ends: Array<() => void> = [];
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
});

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const plain = async (answer: Answer): Promise<string> => `http://127.0.0.1:${await portOf(createServer(answer))}`;
async function secure(answer: Answer): Promise<string> {
  const args =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout - -subj /CN=media.test -days 2';
  const key = execFileSync('openssl', args.split(' '), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return `https://127.0.0.1:${await portOf(createSecureServer({ key, cert: key }, answer))}`;
}

const testersAsked: string[] = [];

function probeOf(
  over: Partial<ProbeOrder> & { readonly address: string },
  onView: (view: ProbeView, probe: Probe) => void = () => undefined,
  familiesFolder?: string,
): { probe: Probe; last: () => ProbeView } {
  let last: ProbeView | undefined;
  testersAsked.length = 0;
  const keys = { question: () => undefined, knownTypes: () => [], trust: () => undefined };
  const probe = new Probe(
    { probe: 'one', secrets: { httpPassword: 'planted' }, user: 'qa', play: true, ...over },
    {
      ...{ clock: systemClock, hostKeys: new HostKeyStore(keys), hostKey: undefined, familiesFolder },
      freeName: (name) => name,
      tester: (): Promise<LoadDriver> => {
        testersAsked.push(over.address);
        return Promise.reject(new Error('No tester is needed here.'));
      },
      onView: (view) => {
        last = view;
        onView(view, probe);
      },
    },
  );
  ends.push(() => probe.close());
  return {
    probe,
    last: () => {
      if (!last) throw new Error('The probe reported nothing.');
      return last;
    },
  };
}

/** A page that names one stream, and its requests' credentials. */
const page =
  (stream: () => string, received: Set<unknown>): Answer =>
  (request, response) => {
    received.add(request.headers.authorization);
    response.setHeader('Content-Type', 'text/html');
    response.end(`<html><video src="${stream()}"></video></html>`);
  };
const playlist =
  (received: Set<unknown>): Answer =>
  (request, response) => {
    received.add(request.headers.authorization);
    response.setHeader('Content-Type', 'application/vnd.apple.mpegurl').end('#EXTM3U\n');
  };
const basic = `Basic ${Buffer.from('qa:planted').toString('base64')}`;

it('sends the login to no other host that a page names, and plays nothing there', async () => {
  const [own, other] = [new Set<unknown>(), new Set<unknown>()];
  const cdn = (await plain(playlist(other))).replace('127.0.0.1', 'localhost');
  const site = await plain(page(() => `${cdn}/live/cam.m3u8`, own));
  const { probe, last } = probeOf({ address: `${site}/player` });
  await probe.run();
  expect([...own]).toEqual([basic]);
  expect([...other]).toEqual([undefined]);
  expect(testersAsked).toEqual([]);
  const { host } = new URL(cdn);
  expect(last().rows.find(({ id }) => id === 'play')).toMatchObject({
    state: 'failed',
    found: 'cam was not played',
    detail: `not played on another host: HLS of ${host}`,
  });
  expect(last().plays).toMatchObject([{ failed: `The address is on another host, ${host}, and was not played.` }]);
});

it('sends the login of an https address to no port without TLS', async () => {
  const [own, unsafe] = [new Set<unknown>(), new Set<unknown>()];
  const media = await plain(playlist(unsafe));
  const site = await secure(page(() => `${media}/live/cam.m3u8`, own));
  const { probe } = probeOf({ address: `${site}/player`, selfSigned: true });
  await probe.run();
  expect([...own]).toEqual([basic]);
  expect([...unsafe]).toEqual([undefined]);
  expect(testersAsked).toHaveLength(1);
});

it('starts no tester once it has ended', async () => {
  const site = await plain(playlist(new Set()));
  const { probe } = probeOf({ address: `${site}/live/cam.m3u8` }, (view, own) => {
    if (view.origins.length > 0) own.close();
  });
  await probe.run();
  expect(testersAsked).toEqual([]);
});

it('a family that was found and cannot be opened is a finding', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-probe-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'roundhouse.yaml');
  const site = await plain((_, response) => {
    rmSync(file, { force: true });
    response.setHeader('Server', 'Roundhouse/3.2').end('hello');
  });
  writeFileSync(
    file,
    `title: Roundhouse
ports: { api: ${new URL(site).port} }
recognise: [{ get: "http://{api}/", header: { server: "Roundhouse/{version}" } }]
`,
  );
  const { probe, last } = probeOf({ address: site }, undefined, folder);
  await probe.run();
  expect(last().isDone).toBe(true);
  expect(last().rows.find(({ id }) => id === 'server')).toMatchObject({
    state: 'failed',
    found: expect.stringMatching(/no family "roundhouse"/) as string,
  });
});

it('ends at once at an unknown host, unless a proxy may know it', async () => {
  const { probe, last } = probeOf({ address: 'no-such-host-of-this-test:8889', proxy: 'none' });
  await probe.run();
  expect(last()).toMatchObject({ isDone: true, isUnknownHost: true, origins: [] });
  expect(last().rows).toMatchObject([{ id: 'address', state: 'failed' }]);

  const proxy = await plain((_, response) => response.writeHead(502).end());
  const behind = probeOf({ address: 'http://no-such-host-of-this-test:8889/whep/cam', proxy });
  await behind.probe.run();
  expect(behind.last().isUnknownHost).toBeUndefined();
  expect(behind.last().rows[0]).toMatchObject({
    id: 'address',
    state: 'absent',
    detail: 'unless the HTTP proxy knows it',
  });
});
