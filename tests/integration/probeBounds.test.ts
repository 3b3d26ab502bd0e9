import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ProbeView } from '../../src/domain/model/probe';
import { startSshd } from './servers/sshd';
import { cleanUp, engineInTemporaryFolder, later, temporaryFolder, type TestEngine } from './support';

afterEach(cleanUp);

/** The time limit of `fullhouse probe`. */
const longestMs = 15_000;

async function probed(
  engine: TestEngine,
  address: string,
  keyFile?: string,
): Promise<{ tookMs: number; rows: Record<string, string> }> {
  const beganMs = performance.now();
  const view = await new Promise<ProbeView>((resolve, reject) => {
    engine.client.on('probe', (each) => {
      if (each.probe === address && each.isDone) resolve(each);
    });
    engine.client.call('nodes.probe', { probe: address, address, keyFile, secrets: {} }).catch(reject);
  });
  const rows = Object.fromEntries(view.rows.map(({ id, state, found }) => [id, `${state}: ${found}`]));
  return { tookMs: performance.now() - beganMs, rows };
}

/** A program that shadows the host's own. */
function shadowed(name: string, script: string): string {
  const folder = temporaryFolder();
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return `SetEnv PATH=${folder}:/usr/bin:/bin`;
}

it('a probe ends within its time limit whatever the shell of the host does', async () => {
  const hosts = {
    silent: ['ForceCommand exec sleep 300'],
    endless: ['ForceCommand exec yes'],
    endlessLine: ['ForceCommand exec tr "\\\\0" x < /dev/zero'],
    silentClock: [shadowed('date', 'exec sleep 300')],
    endlessClock: [shadowed('date', 'exec tr "\\0" 1 < /dev/zero')],
    endlessFacts: [shadowed('uname', 'exec yes')],
  };
  const sshFolder = temporaryFolder();
  const engine = engineInTemporaryFolder({ sshFolder });
  const servers = await Promise.all(Object.values(hosts).map((config) => startSshd({ config })));
  for (const server of servers) later(() => server.stop());
  writeFileSync(join(sshFolder, 'known_hosts'), servers.map(({ hostKeyLine }) => hostKeyLine).join(''));
  // A server that accepts connections and sends nothing.
  const mute = createServer();
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  later(() => void mute.close());

  const probes = await Promise.all([
    ...servers.map(({ address, keyFile }) => probed(engine, address, keyFile)),
    probed(engine, `qa@127.0.0.1:${(mute.address() as AddressInfo).port}`),
  ]);
  const [silent, endless, endlessLine, silentClock, endlessClock, endlessFacts, unheard] = probes;
  expect(probes.map(({ tookMs }) => tookMs).filter((tookMs) => tookMs > longestMs)).toEqual([]);
  expect(silent?.rows.system).toMatch(/^failed: .*did not end within 5 s\.$/);
  const noEnd = /^failed: .*shell prints endless output before it runs a command/;
  expect(endless?.rows.system).toMatch(noEnd);
  expect(endlessLine?.rows.system).toMatch(noEnd);
  expect(silentClock?.rows).toMatchObject({ clock: 'failed: The host did not report its time within 5 s.' });
  expect(silentClock?.rows.system).toMatch(/^found/);
  expect(endlessClock?.rows.clock).toMatch(/^failed/);
  expect(endlessFacts?.rows.system).toMatch(/^failed: .*printed more than/);
  expect(unheard?.rows.ssh).toMatch(/^failed/);
});
