import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { later, temporaryFolder } from '../undo';
import { startJvm } from './jvm';
import { makeOtherHost } from './otherHost';
import { startSshd, type Sshd } from './sshd';

/**
 * A machine of its own with a real sshd, a real JVM in WCS's place and WCS's configuration, all set badly. What only a
 * machine itself could have, its memory and its UDP buffers, is a file over the kernel's own, seen by this sshd's
 * sessions alone.
 */
export interface WcsHost {
  readonly sshd: Sshd;
  readonly address: string;
  readonly conf: string;
  /** Executes a fix as if pasted by a user; restarts are skipped. */
  applyFix(fix: string): void;
  /** Changes the values that the machine reports. */
  setMemory(rows: Readonly<Record<string, number>>): void;
}

const badConfiguration = {
  'flashphoner.properties': `# as installed
rtp_bundle=false
rest_max_connections = 200
streaming_distributor_subgroup_size=100
wcs_activity_timer_timeout=60000
`,
  'wcs-core.properties': `### JVM OPTIONS ###
-Xmx4g
-Xms1g
-XX:+UseConcMarkSweepGC -XX:+PrintGCDetails
-XX:-UseAES
`,
};

export async function startWcsHost(): Promise<WcsHost> {
  const host = makeOtherHost();
  later(() => host.remove());
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const root = join(folder, 'FlashphonerWebCallServer');
  const conf = join(root, 'conf');
  mkdirSync(conf, { recursive: true });
  for (const [name, text] of Object.entries(badConfiguration)) writeFileSync(join(conf, name), text);
  const jvm = startJvm({
    jvmOptions: ['-XX:-MaxFDLimit', `-Dserver.home=${root}`],
    forMs: 60_000,
    perBreath: 1,
  });
  execFileSync('prlimit', ['--pid', String(jvm.pid), '--nofile=1024:']);
  const sshd = await startSshd({ temporaryUser: true, network: host });
  later(() => sshd.stop());

  const over = (path: string, text: string): string => {
    const file = join(folder, path.replaceAll('/', '_'));
    writeFileSync(file, text, { mode: 0o644 });
    execFileSync('nsenter', ['-t', String(sshd.pid), '-m', '-n', 'mount', '--bind', file, path]);
    return file;
  };
  const memory = over('/proc/meminfo', readFileSync('/proc/meminfo', 'utf8'));
  const boot = join(folder, 'sysctl.d');
  mkdirSync(boot, { mode: 0o755 });
  execFileSync('nsenter', ['-t', String(sshd.pid), '-m', '-n', 'mount', '--bind', boot, '/etc/sysctl.d']);
  const receive = over('/proc/sys/net/core/rmem_max', '212992\n');
  const send = over('/proc/sys/net/core/wmem_max', '212992\n');
  const setMemory = (rows: Readonly<Record<string, number>>): void => {
    let text = readFileSync(memory, 'utf8');
    for (const [row, value] of Object.entries(rows))
      text = text.replace(new RegExp(`^(${row}:\\s+)\\d+`, 'm'), `$1${value}`);
    writeFileSync(memory, text);
  };
  setMemory({ MemTotal: 32 * 2 ** 20, MemAvailable: 30 * 2 ** 20, HugePages_Total: 0 });

  return {
    sshd,
    address: host.address,
    conf,
    setMemory,
    applyFix(fix) {
      const file = /^# (\/\S+), then restart/.exec(fix)?.[1];
      const lines = fix.split('\n').filter((line) => !line.startsWith('# '));
      if (file !== undefined) {
        // Commented-out lines stand for the ones that they replace.
        const dead = lines.filter((line) => line.startsWith('#')).map((line) => line.slice(1));
        let text = readFileSync(file, 'utf8');
        for (const word of dead) text = text.replace(word, '');
        writeFileSync(file, text);
        appendFileSync(file, `${lines.join('\n')}\n`);
        return;
      }
      for (const line of lines) {
        const sysctl = /^sudo sysctl -w (\S+)=(\S+)/.exec(line);
        const atBoot = /^echo (\S+) \| sudo tee \/etc\/sysctl\.d\/(\S+)$/.exec(line);
        const pages = /^echo (\d+) \| sudo tee \S*nr_hugepages$/.exec(line);
        if (sysctl?.[1] === 'net.core.rmem_max') writeFileSync(receive, `${sysctl[2]}\n`);
        else if (sysctl?.[1] === 'net.core.wmem_max') writeFileSync(send, `${sysctl[2]}\n`);
        else if (atBoot) writeFileSync(join(boot, atBoot[2] ?? ''), `${atBoot[1]}\n`, { mode: 0o644 });
        else if (pages) setMemory({ HugePages_Total: Number(pages[1]) });
        // As many as this machine provides, which is enough.
        else if (line.includes('set-fd-limit'))
          execFileSync('sh', ['-c', 'prlimit --pid "$1" --nofile="$(ulimit -Hn)"', 'sh', String(jvm.pid)]);
        else {
          // Only changes within this machine's own network are executed.
          const real = (sysctl ? line.split(' && ')[0] : /^sudo ip link/.test(line) ? line : undefined)?.replace(
            'sudo ',
            '',
          );
          if (real === undefined) throw new Error(`This fix must not be executed here: ${line}`);
          const [program = '', ...words] = real.split(' ');
          execFileSync('ip', ['netns', 'exec', host.namespace, program, ...words]);
        }
      }
    },
  };
}
