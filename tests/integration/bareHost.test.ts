import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ProbeView } from '../../src/domain/model/probe';
import { startSshd } from './servers/sshd';
import { cleanUp, engineInTemporaryFolder, later, temporaryFolder } from './support';

afterEach(cleanUp);

it('requests confirmation of a host key only where SSH was requested', async () => {
  const server = await startSshd();
  later(() => server.stop());
  const sshFolder = join(temporaryFolder(), 'ssh');
  mkdirSync(sshFolder);
  // A host name without a user is a host, not a login.
  writeFileSync(
    join(sshFolder, 'config'),
    `Host box\n  HostName 127.0.0.1\n  Port ${server.port}\n  IdentityFile ${server.keyFile}\n`,
  );
  const { client } = engineInTemporaryFolder({ sshFolder });
  const look = async (address: string): Promise<ProbeView> => {
    const done = new Promise<ProbeView>((resolve) => {
      const off = client.on('probe', (view) => {
        if (view.probe !== address || !view.isDone) return;
        off();
        resolve(view);
      });
    });
    await client.call('nodes.probe', { probe: address, address, secrets: {} });
    return done;
  };
  const [bare, login] = await Promise.all([look('box'), look(`${server.user}@box`)]);
  expect(login.hostKey).toMatchObject({ state: 'unknown' });
  expect(bare.hostKey).toBeUndefined();
  expect(bare.rows.find(({ id }) => id === 'ssh')).toMatchObject({
    state: 'absent',
    found: 'responds; write user@host to use it',
  });
});
