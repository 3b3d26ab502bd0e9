import { onOrigin, pass, unread, warn, type PreflightRule } from '../../rule';
import { coresOf, cpuInfo, defaultInterfaces, routes } from '../../text/machine';
import { whole } from '../../text/numbers';

const softirqs = '/proc/softirqs';
const masks = '/sys/class/net/*/queues/rx-*/rps_cpus';
/** Fewer packets than these since the start say nothing. */
const leastCount = 100_000;
const mostSharePercent = 80;

/** NET_RX of each processor since the start. Pure. */
function receivedByCpu(text: string): readonly number[] {
  const line = /^\s*NET_RX:(.*)$/m.exec(text)?.[1] ?? '';
  return line.trim().split(/\s+/).filter(Boolean).map(Number);
}

export const softirq: PreflightRule = {
  id: 'kernel.softirq',
  title: 'Network interrupts over the processors',
  checks:
    'How the work of received packets (NET_RX) is spread over the processors, and whether RPS spreads it.',
  why: 'One processor that does all of it is full long before the others, and then packets are dropped at a low CPU figure.',
  good: 'no processor with more than 80 % of it, or RPS on the queues',
  source: 'SRS: Performance (Multiple Process and Softirq)',
  isOfMachine: true,
  applies: onOrigin,
  needs: [{ file: softirqs }, { files: masks }, { file: cpuInfo }, { file: routes }],
  judge: (facts, { node }) => {
    const cores = coresOf(facts);
    const counts = receivedByCpu(facts.file(softirqs)).slice(0, cores);
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (counts.length === 0) return unread(`${softirqs} of ${node} has no NET_RX.`);
    if (cores === 1) return pass(`${node} has one processor, which does it all.`);
    const most = Math.max(...counts);
    const share = total === 0 ? 0 : (100 * most) / total;
    const read = `Processor ${counts.indexOf(most)} of ${node} has taken ${whole(share)} % of the received packets of ${cores} processors`;
    const out = facts.maybe(defaultInterfaces) ?? [];
    const queues = facts
      .files(masks)
      .filter(({ path }) => out.length === 0 || out.includes(path.split('/')[4] ?? ''));
    const isSpread = queues.some(({ text }) => /[1-9a-f]/.test(text));
    if (total < leastCount)
      return pass(`${node} has received too little since its start to tell (${whole(total)} times).`);
    if (share <= mostSharePercent) return pass(`${read}.`);
    if (isSpread) return pass(`${read}; RPS spreads them by now.`);
    const [first] = out;
    const mask = (2 ** Math.min(cores, 32) - 1).toString(16);
    return warn(
      `${read}, and RPS is off.`,
      `for queue in /sys/class/net/${first ?? 'eth0'}/queues/rx-*/rps_cpus; do echo ${mask} | sudo tee $queue; done`,
    );
  },
};
