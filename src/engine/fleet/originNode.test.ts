import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
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
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answers[name] ?? { code: 0 }));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

it('has a note on what to add when only its API is known, and no problem', async () => {
  // Loopback in a form that does not count as this machine, as through a forwarded port.
  const url = `http://[::ffff:127.0.0.1]:${await emptySrs()}`;
  const settings = { server: 'srs', url } as const;
  const options = {
    ...{ id: 'srs', written: settings, lacking: undefined, colourSlot: 3, versions: {}, clock: systemClock },
    own: new OwnProcesses(),
    secrets: () => ({}),
    secretKinds: () => [],
    hostKeys: new HostKeyStore({ question: () => undefined, knownTypes: () => [], trust: () => undefined }),
  };
  node = new OriginNode(options, settings, familyOf('srs'));
  const shown = node;
  await expect.poll(() => shown.view().state, { timeout: 10_000 }).toBe('live');
  expect(shown.view()).toMatchObject({
    note: 'CPU and memory of the host are not measured: add SSH or node_exporter',
    fix: 'add-ssh',
  });
  expect(shown.view().problem).toBeUndefined();
});
