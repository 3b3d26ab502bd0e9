import { everywhere, fail, pass, unread, warn, type PreflightRule } from '../../rule';
import { gib } from '../../text/numbers';

/** A row of `df -Pk`. */
interface Disk {
  readonly device: string;
  readonly bytes: number;
  readonly freeBytes: number;
  readonly path: string;
}

const made = /^(tmpfs|devtmpfs|udev|shm|none|efivarfs|squashfs|\/dev\/loop\d+)$/;

/** Disks of a `df -Pk`, without virtual file systems. Pure. */
function disksOf(text: string): readonly Disk[] {
  return (
    text
      .split('\n')
      .slice(1)
      .flatMap((line): Disk[] => {
        const match = /^(\S+)\s+(\d+)\s+\d+\s+(\d+)\s+\S+\s+(\/.*)$/.exec(line.trim());
        if (!match || made.test(match[1] ?? '')) return [];
        const [, device = '', blocks, free, path = ''] = match;
        return [{ device, bytes: Number(blocks) * 1024, freeBytes: Number(free) * 1024, path }];
      })
      // Anything smaller is a boot partition or a mounted file.
      .filter(({ bytes, path }) => bytes >= 2 ** 30 && !/^\/(proc|sys|dev|run|snap)(\/|$)/.test(path))
  );
}

export const freeDisk: PreflightRule = {
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
