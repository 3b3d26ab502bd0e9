import { everywhere, fail, pass, type PreflightRule, unread, warn } from '../rule';
import { coresOf, cpuFlags, cpuInfo, memInfo, memory, nicSpeed as speedOf, nicSpeeds, routes } from '../text/machine';
import { formatTenths } from '../../../domain/text/numberFormat';
import { gib, mbit } from '../text/numbers';

const aes: PreflightRule = {
  id: 'host.aes',
  title: 'AES instructions',
  checks: 'The flag `aes` of the processor.',
  why: 'WebRTC encrypts every packet for every viewer; without the instructions that costs several times as much.',
  good: 'present; for a virtual machine the host must pass it on',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams? (lscpu | grep -o aes)',
  isOfMachine: true,
  applies: ({ protocols, role }) => role === 'origin' || protocols.includes('whep') || protocols.includes('wcs'),
  needs: [{ file: cpuInfo }],
  judge: (facts, { node }) =>
    cpuFlags(facts).includes('aes')
      ? pass(`The processor of ${node} has AES instructions.`)
      : fail(
          `The processor of ${node} has no AES instructions.`,
          'Choose a processor type that passes "aes" on to the virtual machine, e.g. host in KVM.',
        ),
};

const nicSpeed: PreflightRule = {
  id: 'host.nic-speed',
  title: 'Network interface',
  checks: "Speed of the default route's interface against the bandwidth of the plan.",
  why: 'The link is often the bottleneck, not the server: a thousand viewers at 1 Mbit/s fill a gigabit.',
  good: 'the plan needs at most 60 % of it; above 90 % fails',
  source:
    'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?; StreamHub: Capacity planning & latency tuning',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ files: nicSpeeds }, { file: routes }],
  judge: (facts, { node, mbps, sharedWith, viewers }) => {
    // Traffic within the machine passes no interface.
    if (sharedWith.length > 0 && viewers > 0)
      return pass(`Traffic to ${sharedWith.join(' and ')} on the same machine uses no interface.`);
    const nic = speedOf(facts);
    if (!nic)
      return unread(`The interface of ${node} reports no speed, as on virtual machines; measure the link with iperf3.`);
    const read = `${nic.name} of ${node} has ${mbit(nic.mbps)}`;
    if (mbps === undefined) return unread(`${read}; the plan's bandwidth is unknown until its stream exists.`);
    const sentence = `${read}; this plan needs about ${mbit(mbps)}.`;
    const fix = `Use an interface of at least ${mbit(mbps / 0.6)}, or fewer viewers: ${Math.floor((viewers * nic.mbps * 0.6) / mbps)} need 60 % of it.`;
    if (mbps > nic.mbps * 0.9) return fail(sentence, fix);
    return mbps > nic.mbps * 0.6 ? warn(sentence, fix) : pass(sentence);
  },
};

const maxOffsetMs = 100;

/** Synchronisation state from `timedatectl show`; undefined when missing. Pure. */
function synchronised(text: string): boolean | undefined {
  const word = /^NTPSynchronized=(yes|no)$/m.exec(text)?.[1];
  return word === undefined ? undefined : word === 'yes';
}

/** Offset of the system's clock reported by chrony, in ms. Pure. */
function chronyOffsetMs(text: string): number | undefined {
  const match = /^System time\s*:\s*([\d.]+) seconds (slow|fast)/m.exec(text);
  return match ? Number(match[1]) * 1000 * (match[2] === 'fast' ? 1 : -1) : undefined;
}

const clock: PreflightRule = {
  id: 'host.clock',
  title: 'Clock',
  checks: 'Whether the clock is synchronised by NTP, and its measured offset to the console.',
  why: 'Figures of several machines are aligned by time; logs with different clocks lead to the wrong cause.',
  good: 'synchronised, within 100 ms of the console',
  source: 'systemd: timedatectl; chrony: chronyc tracking',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ command: 'timedatectl' }, { command: 'chronyc' }],
  judge: (facts, { node, clock: measured }) => {
    const chrony = facts.maybe((all) => chronyOffsetMs(all.command('chronyc')));
    const isSynchronised =
      facts.maybe((all) => synchronised(all.command('timedatectl'))) ?? (chrony === undefined ? undefined : true);
    const offset = measured?.offsetMs ?? chrony;
    const fix = 'sudo timedatectl set-ntp true';
    if (offset !== undefined && Math.abs(offset) > maxOffsetMs)
      return warn(
        `The clock of ${node} is ${formatTenths(Math.round(Math.abs(offset)))} ms ${offset > 0 ? 'ahead' : 'behind'}; figures are corrected for this, its logs are not.`,
        fix,
      );
    if (isSynchronised === false) return warn(`The clock of ${node} is not synchronised.`, fix);
    const within =
      offset === undefined
        ? ''
        : `, ${formatTenths(Math.abs(Math.round(offset * 10) / 10))} ms from ${measured ? 'the console' : 'NTP time'}`;
    if (isSynchronised) return pass(`The clock of ${node} is synchronised${within}.`);
    return offset === undefined
      ? unread(`Neither timedatectl nor chronyc reports on the clock of ${node}.`)
      : pass(
          `The clock of ${node} is ${formatTenths(Math.abs(Math.round(offset * 10) / 10))} ms from the console; its NTP state is unknown.`,
        );
  },
};

const freeMemory: PreflightRule = {
  id: 'host.memory',
  title: 'Free memory',
  checks: 'MemAvailable against MemTotal.',
  why: 'When memory is short the kernel reclaims pages of running programs, which stalls them for milliseconds to seconds.',
  good: 'at least 20 %; below 5 % fails',
  source: 'StreamHub: Capacity planning & latency tuning (alert above 85 % used)',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ file: memInfo }],
  judge: (facts, { node }) => {
    const [total, available] = [memory(facts, 'MemTotal'), memory(facts, 'MemAvailable')];
    const sentence = `${gib(available)} of ${gib(total)} are available on ${node}.`;
    const fix = 'ps -eo pid,comm,rss --sort=-rss | head   # largest processes';
    if (available < total * 0.05) return fail(sentence, fix);
    return available < total * 0.2 ? warn(sentence, fix) : pass(sentence);
  },
};

/** A row of `df -Pk`. */
interface Disk {
  readonly device: string;
  readonly bytes: number;
  readonly freeBytes: number;
  readonly path: string;
}

const virtualFileSystem = /^(tmpfs|devtmpfs|udev|shm|none|efivarfs|squashfs|\/dev\/loop\d+)$/;

/** Disks of a `df -Pk`, without virtual file systems. Pure. */
function disksOf(text: string): readonly Disk[] {
  return (
    text
      .split('\n')
      .slice(1)
      .flatMap((line): Disk[] => {
        const match = /^(\S+)\s+(\d+)\s+\d+\s+(\d+)\s+\S+\s+(\/.*)$/.exec(line.trim());
        if (!match || virtualFileSystem.test(match[1] ?? '')) return [];
        const [, device = '', blocks, free, path = ''] = match;
        return [{ device, bytes: Number(blocks) * 1024, freeBytes: Number(free) * 1024, path }];
      })
      // Anything smaller is a boot partition or a mounted file.
      .filter(({ bytes, path }) => bytes >= 2 ** 30 && !/^\/(proc|sys|dev|run|snap)(\/|$)/.test(path))
  );
}

const freeDisk: PreflightRule = {
  id: 'host.disk',
  title: 'Free disk',
  checks: 'Free space of every disk.',
  why: 'When the disk is full, logging or recording makes the server hang or crash during the test.',
  good: 'at least 2 GiB and 5 % free; below 200 MiB fails',
  source: 'Fullhouse',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ command: 'df' }],
  judge: (facts, { node }) => {
    const disks = [...disksOf(facts.command('df'))].sort((a, b) => a.freeBytes - b.freeBytes);
    const [least] = disks;
    if (!least) return unread(`df lists no disk of ${node}.`);
    const low = disks.filter(({ bytes, freeBytes }) => freeBytes < 2 * 2 ** 30 || freeBytes < bytes * 0.05);
    // A small partition that is nearly empty is not low on space.
    const short = low.filter(({ bytes, freeBytes }) => freeBytes < bytes * 0.3);
    const [worst] = short;
    if (!worst) return pass(`${gib(least.freeBytes)} are free on ${least.path} of ${node}, the fullest of its disks.`);
    const sentence = `${short.map(({ path, freeBytes }) => `${gib(freeBytes)} are free on ${path}`).join(', ')} of ${node}.`;
    const fix = `sudo du -xh --max-depth=2 ${worst.path} | sort -h | tail   # largest folders`;
    return worst.freeBytes < 200 * 2 ** 20 ? fail(sentence, fix) : warn(sentence, fix);
  },
};

const loadAverage = '/proc/loadavg';

const load: PreflightRule = {
  id: 'host.load',
  title: 'Load before the test',
  checks: 'load1 against the number of processors, before the first viewer.',
  why: 'Other load on the machine is attributed to the server.',
  good: 'at most a quarter of the processors',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams? (load against cores)',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ file: loadAverage }, { file: cpuInfo }],
  judge: (facts, { node }) => {
    const value = Number(facts.file(loadAverage).split(' ')[0]);
    if (!Number.isFinite(value)) return unread(`${loadAverage} of ${node} contains no number.`);
    const cores = coresOf(facts);
    const sentence = `load1 of ${node} is ${formatTenths(Math.round(value * 10) / 10)} on ${cores} processors before the first viewer.`;
    return value <= Math.max(0.5, cores / 4)
      ? pass(sentence)
      : warn(sentence, 'ps -eo pid,comm,pcpu --sort=-pcpu | head   # busiest processes');
  },
};

export const hostRules: readonly PreflightRule[] = [aes, nicSpeed, clock, freeMemory, freeDisk, load];
