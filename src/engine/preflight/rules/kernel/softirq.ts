import { onOrigin, pass, unread, warn, type PreflightRule } from '../../rule';
import { coresOf, cpuInfo, defaultInterfaces, routes } from '../../text/machine';
import { whole } from '../../text/numbers';

const softirqs = '/proc/softirqs';
const masks = '/sys/class/net/*/queues/rx-*/rps_cpus';
/** Fewer packets than this since boot are not significant. */
const minCount = 100_000;
const maxSharePercent = 80;

/** NET_RX of each processor since boot. Pure. */
function receivedByCpu(text: string): readonly number[] {
  const line = /^\s*NET_RX:(.*)$/m.exec(text)?.[1] ?? '';
  return line.trim().split(/\s+/).filter(Boolean).map(Number);
}

export const softirq: PreflightRule = {
  id: 'kernel.softirq',
  title: 'Distribution of network interrupts',
  checks: 'Distribution of receive work (NET_RX) over the processors, and whether RPS is on.',
  why: 'A single processor that does all of it saturates long before the others; then packets are dropped at a low overall CPU usage.',
  good: 'max 80 % on one processor, or RPS on the queues',
  source: 'SRS: Performance (Multiple Process and Softirq)',
  isOfMachine: true,
  applies: onOrigin,
  needs: [{ file: softirqs }, { files: masks }, { file: cpuInfo }, { file: routes }],
  judge: (facts, { node }) => {
    const cores = coresOf(facts);
    const counts = receivedByCpu(facts.file(softirqs)).slice(0, cores);
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (counts.length === 0) return unread(`${softirqs} of ${node} has no NET_RX.`);
    if (cores === 1) return pass(`${node} has only one processor.`);
    const most = Math.max(...counts);
    const share = total === 0 ? 0 : (100 * most) / total;
    const read = `Processor ${counts.indexOf(most)} of ${node} handled ${whole(share)} % of the received packets on ${cores} processors`;
    const out = facts.maybe(defaultInterfaces) ?? [];
    const queues = facts.files(masks).filter(({ path }) => out.length === 0 || out.includes(path.split('/')[4] ?? ''));
    const isSpread = queues.some(({ text }) => /[1-9a-f]/.test(text));
    if (total < minCount) return pass(`${node} has received too few packets since boot (NET_RX ${whole(total)}).`);
    if (share <= maxSharePercent) return pass(`${read}.`);
    if (isSpread) return pass(`${read}; RPS is on now.`);
    const [first] = out;
    const mask = (2 ** Math.min(cores, 32) - 1).toString(16);
    return warn(
      `${read}, and RPS is off.`,
      `for queue in /sys/class/net/${first ?? 'eth0'}/queues/rx-*/rps_cpus; do echo ${mask} | sudo tee $queue; done`,
    );
  },
};
