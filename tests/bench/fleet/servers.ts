import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeSettings } from '../../../src/domain/model/nodeSettings';
import { startSshd } from '../../integration/servers/sshd';
import { startSrs } from '../../standins/srs';
import type { Servers } from './order';

const liveCount = 14;

/**
 * 14 servers with changing figures, all behind one real sshd, and the addresses of two dead ones. Exits with its input.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-fleet-bench-'));
  // Sixteen concurrent logins exceed sshd's default.
  const sshd = await startSshd({ config: ['MaxStartups 100'] });
  const standIns = await Promise.all(Array.from({ length: liveCount }, () => startSrs({ load: 'webrtc-200' })));
  const passing = setInterval(() => standIns.forEach((standIn) => standIn.passes(1000)), 1000);
  const silent = createServer((socket) => socket.on('error', () => socket.destroy()).resume());
  const silentPort = await listen(silent);
  const gone = createServer();
  const gonePort = await listen(gone);
  await new Promise((resolve) => gone.close(resolve));

  const sshFolder = join(folder, 'ssh');
  mkdirSync(sshFolder, { mode: 0o700 });
  writeFileSync(join(sshFolder, 'known_hosts'), sshd.hostKeyLine);
  const { keyFile } = sshd;
  const live = standIns.map(({ url, metrics }, index): [string, NodeSettings] => [
    `srs-${index + 1}`,
    { server: 'srs', url, metrics, ssh: sshd.address, keyFile, process: 'sshd' },
  ]);
  const dead = Object.entries({ silent: silentPort, gone: gonePort }).map(([name, port]): [string, NodeSettings] => [
    name,
    { server: 'srs', url: `http://127.0.0.1:${port}`, ssh: `${sshd.user}@127.0.0.1:${port}`, keyFile },
  ]);
  const servers: Servers = {
    nodes: Object.fromEntries([...dead, ...live]),
    dead: dead.map(([name]) => name),
    sshFolder,
  };
  console.log(JSON.stringify(servers));

  await new Promise((resolve) => process.stdin.resume().once('end', resolve));
  clearInterval(passing);
  await Promise.all(standIns.map((standIn) => standIn.close()));
  await sshd.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
