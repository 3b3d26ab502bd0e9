import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { agentFolder, samplesFolder } from '../support';
import type { Host } from './twoHosts';

/** The lab on a separate host, reachable from other machines. */
export interface LabOn {
  /** `HOST:PORT` of WHIP and WHEP. */
  readonly http: string;
  end(): Promise<void>;
}

export async function startLabOn(host: Host): Promise<LabOn> {
  const lab = host.spawn(
    [
      join(agentFolder, `${process.platform}-${process.arch}`, 'fullhouse-agent'),
      ...['lab', '--network', '--idle-timeout', '10m', '--samples', samplesFolder],
      ...['--http', `${host.address}:0`, '--media', `${host.address}:0`],
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const end = async (): Promise<void> => {
    if (lab.exitCode !== null || lab.signalCode !== null) return;
    lab.kill('SIGTERM');
    await once(lab, 'exit');
  };
  lab.stdin?.write('a-token-of-the-test-for-two-hosts\n');
  if (!lab.stdout) throw new Error('The lab has no output.');
  const [line] = (await once(createInterface(lab.stdout), 'line')) as [string];
  return { http: (JSON.parse(line) as { http: string }).http, end };
}
