import type { Facts } from '../reading/facts';
import {
  everywhere,
  fail,
  type RuleResult,
  on,
  onOrigin,
  pass,
  type PreflightRule,
  unread,
  usesUdp,
  warn,
} from '../rule';
import { coresOf, cpuInfo, defaultInterfaces, interfaceOf, lowestOpenFilesLimit, routes } from '../text/machine';
import { formatCount } from '../../../domain/text/numberFormat';
import { numberIn, sysctlFix, sysctlNumber, sysctlNumbers, sysctlPath } from '../text/sysctl';

const goodBytes = 16 * 1024 * 1024;
/** Below a quarter of it, a burst of key frames of some hundred viewers does not fit. */
const failBytes = 4 * 1024 * 1024;

/** Judges the maximum size of a socket's buffer; `canFail`: a far too small one fails. */
function judgeBuffer(facts: Facts, name: string, node: string, canFail: boolean): RuleResult {
  const bytes = sysctlNumber(facts, name);
  const read = `${name} on ${node} is ${formatCount(bytes)} bytes`;
  if (bytes >= goodBytes) return pass(`${read}, which is enough.`);
  const sentence = `${read}; recommended for streaming: ${formatCount(goodBytes)}.`;
  return (bytes < failBytes && canFail ? fail : warn)(sentence, sysctlFix([name, goodBytes]));
}

const receiveBuffer = 'net.core.rmem_max';

const udpReceiveBuffer: PreflightRule = {
  id: 'kernel.udp-receive-buffer',
  title: 'UDP receive buffer',
  checks: `Max receive buffer of a socket (${receiveBuffer}).`,
  why: 'When the buffer is full datagrams are dropped without an error, which viewers see as loss and freezes.',
  good: 'at least 16 MB; below 4 MB fails',
  source: 'SRS: Performance; StreamHub: Capacity planning & latency tuning (L1)',
  isOfMachine: true,
  applies: usesUdp,
  needs: [{ file: sysctlPath(receiveBuffer) }],
  judge: (facts, { node }) => judgeBuffer(facts, receiveBuffer, node, true),
};

const sendBuffer = 'net.core.wmem_max';

const udpSendBuffer: PreflightRule = {
  id: 'kernel.udp-send-buffer',
  title: 'UDP send buffer',
  checks: `Max send buffer of a socket (${sendBuffer}).`,
  why: 'A server that sends one frame to a thousand viewers at once needs the buffer, or datagrams are lost before they are sent.',
  good: 'at least 16 MB; below 4 MB fails on an origin',
  source: 'SRS: Performance; StreamHub: Capacity planning & latency tuning (L1)',
  isOfMachine: true,
  applies: usesUdp,
  needs: [{ file: sysctlPath(sendBuffer) }],
  judge: (facts, { node, role }) => judgeBuffer(facts, sendBuffer, node, role === 'origin'),
};

const snmp = '/proc/net/snmp';

/** UDP counters since boot, by name. Pure. */
function udpCounters(text: string): ReadonlyMap<string, number> {
  const rows = text.split('\n').filter((line) => line.startsWith('Udp: '));
  const [names, values] = rows.map((line) => line.split(/\s+/).slice(1));
  return new Map((names ?? []).map((name, index) => [name, Number(values?.[index])]));
}

const udpDrops: PreflightRule = {
  id: 'kernel.udp-drops',
  title: 'UDP drops so far',
  checks: 'RcvbufErrors and SndbufErrors since boot.',
  why: 'A machine that dropped datagrams at a lower load drops more under this one.',
  good: 'less than 0.1 % of the datagrams',
  source: 'Linux: /proc/net/snmp; StreamHub: Capacity planning & latency tuning (L1)',
  isOfMachine: true,
  applies: usesUdp,
  needs: [{ file: snmp }],
  judge: (facts, { node }) => {
    const counters = udpCounters(facts.file(snmp));
    const at = (name: string): number => counters.get(name) ?? 0;
    const all = at('InDatagrams') + at('OutDatagrams');
    const dropped = at('RcvbufErrors') + at('SndbufErrors');
    if (counters.size === 0) return unread(`${snmp} of ${node} contains no UDP counters.`);
    const read = `${node} has dropped ${formatCount(dropped)} of ${formatCount(all)} datagrams since boot because buffers were full`;
    return dropped * 1000 <= all ? pass(`${read}.`) : warn(`${read}; see UDP receive buffer and UDP send buffer.`);
  },
};

/** Logs, libraries, listening sockets and connections to backends. */
const spareFiles = 500;

const serverFiles: PreflightRule = {
  id: 'kernel.server-files',
  title: "Open files of the server's process",
  checks: 'Max open files of the running server (/proc/PID/limits), not of a login shell.',
  why: 'A viewer takes one or two sockets; at the limit the server accepts no more connections, often without an error.',
  good: 'two per viewer plus 500; WCS is started with 100,000 in tests',
  source: 'SRS: Performance (ulimit -HSn); WCS manual: set-fd-limit',
  applies: on('wcs', 'srs', 'nginx-rtmp', 'livekit'),
  needs: [{ process: 'server' }],
  judge: (facts, { node, viewers, publishers, server }) => {
    const { pid, limit } = lowestOpenFilesLimit(facts.processes());
    const needed = 2 * (viewers + publishers) + spareFiles;
    const recommended = Math.max(100_000, needed);
    const read = `Open files limit of process ${pid} on ${node}: ${limit.soft === Infinity ? 'unlimited' : formatCount(limit.soft)}`;
    const fix =
      server === 'wcs'
        ? `sudo /usr/local/FlashphonerWebCallServer/bin/webcallserver set-fd-limit ${recommended}`
        : `sudo prlimit --pid ${pid} --nofile=${recommended}:${recommended}\n# permanent, in the service's unit: LimitNOFILE=${recommended}`;
    if (limit.soft >= needed)
      return pass(`${read}; ${formatCount(viewers)} viewers need about ${formatCount(needed)}.`);
    const sentence = `${read}; ${formatCount(viewers)} viewers need about ${formatCount(needed)}.`;
    return limit.soft >= viewers + spareFiles ? warn(sentence, fix) : fail(sentence, fix);
  },
};

const fileMax: PreflightRule = {
  id: 'kernel.file-max',
  title: 'Open files of the system',
  checks: "fs.file-max against the files open now (fs.file-nr) plus the viewers' files.",
  why: 'At the limit no program on the machine can open a file, sshd included.',
  good: 'two files per viewer plus 10,000',
  source: 'Linux: sysctl/fs; SRS: Performance',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ file: sysctlPath('fs.file-max') }, { file: sysctlPath('fs.file-nr') }],
  judge: (facts, { node, viewers }) => {
    const limit = sysctlNumber(facts, 'fs.file-max');
    const [open = 0] = sysctlNumbers(facts, 'fs.file-nr');
    const needed = open + 2 * viewers + 10_000;
    const read = `Open files limit of ${node}: ${limit > 1e12 ? 'unlimited' : formatCount(limit)}, open now: ${formatCount(open)}`;
    return limit >= needed
      ? pass(`${read}; enough for ${formatCount(viewers)} viewers.`)
      : fail(`${read}; ${formatCount(needed)} are needed.`, sysctlFix(['fs.file-max', Math.max(needed, 1_000_000)]));
  },
};

const conntrackMax = 'net.netfilter.nf_conntrack_max';
const conntrackCount = 'net.netfilter.nf_conntrack_count';

const conntrack: PreflightRule = {
  id: 'kernel.conntrack',
  title: 'Connection tracking',
  checks: `${conntrackMax} against ${conntrackCount} plus the viewers' connections, where the firewall tracks connections.`,
  why: 'When the table is full the kernel drops packets of every new connection and reports it only in its own log.',
  good: 'two entries per viewer, with at most 80 % used',
  source: 'Linux: nf_conntrack-sysctl',
  isOfMachine: true,
  applies: everywhere,
  // As patterns, since these files do not exist on a machine without a firewall.
  needs: [{ files: sysctlPath(conntrackMax) }, { files: sysctlPath(conntrackCount) }],
  judge: (facts, { node, viewers }) => {
    const [limitFile] = facts.files(sysctlPath(conntrackMax));
    if (!limitFile) return pass(`${node} tracks no connections.`);
    const limit = numberIn(limitFile.text, conntrackMax);
    const [counted] = facts.files(sysctlPath(conntrackCount));
    if (!counted)
      return unread(
        `The number of connections tracked on ${node} can't be read; the table has ${formatCount(limit)} entries.`,
      );
    const count = numberIn(counted.text, conntrackCount);
    const needed = count + 2 * viewers;
    const read = `${node} tracks ${formatCount(count)} of max ${formatCount(limit)} connections`;
    const fix = sysctlFix([conntrackMax, Math.max(262_144, 2 ** Math.ceil(Math.log2(needed * 2)))]);
    if (needed > limit) return fail(`${read}; ${formatCount(viewers)} viewers need ${formatCount(needed)}.`, fix);
    return needed > limit * 0.8
      ? warn(`${read}; with ${formatCount(viewers)} viewers more than 80 % are used.`, fix)
      : pass(`${read}; enough for ${formatCount(viewers)} viewers.`);
  },
};

const queueLengths = '/sys/class/net/*/tx_queue_len';
const minQueueLength = 2000;

const txQueue: PreflightRule = {
  id: 'kernel.tx-queue',
  title: 'Queue of the network interface',
  checks: "txqueuelen of the default route's interface.",
  why: 'A frame for a thousand viewers is several thousand packets at once; packets beyond the queue are dropped.',
  good: 'at least 2000',
  source: 'WCS manual: Server tuning recommendations',
  isOfMachine: true,
  applies: onOrigin,
  needs: [{ files: queueLengths }, { file: routes }],
  judge: (facts, { node }) => {
    const out = facts.maybe(defaultInterfaces) ?? [];
    const all = facts
      .files(queueLengths)
      .map(({ path, text }) => ({ name: interfaceOf(path), length: numberIn(text, path) }))
      .filter(({ name }) => (out.length > 0 ? out.includes(name) : !/^(lo|ifb|dummy|docker|br-)/.test(name)));
    if (all.length === 0) return unread(`${node} has no default route.`);
    const short = all.filter(({ length }) => length < minQueueLength);
    const read = all.map(({ name, length }) => `${name} queues ${formatCount(length)} packets`).join(', ');
    return short.length === 0
      ? pass(`On ${node} ${read}.`)
      : warn(
          `On ${node} ${read}; recommended: ${formatCount(minQueueLength)}.`,
          short.map(({ name }) => `sudo ip link set dev ${name} txqueuelen ${minQueueLength}`).join('\n'),
        );
  },
};

const softirqs = '/proc/softirqs';
const rpsMasks = '/sys/class/net/*/queues/rx-*/rps_cpus';
/** Fewer packets than this since boot are not significant. */
const minPackets = 100_000;
const maxSharePercent = 80;

/** NET_RX of each processor since boot. Pure. */
function receivedByCpu(text: string): readonly number[] {
  const line = /^\s*NET_RX:(.*)$/m.exec(text)?.[1] ?? '';
  return line.trim().split(/\s+/).filter(Boolean).map(Number);
}

const softirq: PreflightRule = {
  id: 'kernel.softirq',
  title: 'Distribution of network interrupts',
  checks: 'Distribution of receive work (NET_RX) over the processors, and whether RPS is on.',
  why: 'A single processor that does all of it saturates long before the others; then packets are dropped at a low overall CPU usage.',
  good: 'max 80 % on one processor, or RPS on the queues',
  source: 'SRS: Performance (Multiple Process and Softirq)',
  isOfMachine: true,
  applies: onOrigin,
  needs: [{ file: softirqs }, { files: rpsMasks }, { file: cpuInfo }, { file: routes }],
  judge: (facts, { node }) => {
    const cores = coresOf(facts);
    const counts = receivedByCpu(facts.file(softirqs)).slice(0, cores);
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (counts.length === 0) return unread(`${softirqs} of ${node} has no NET_RX.`);
    if (cores === 1) return pass(`${node} has only one processor.`);
    const most = Math.max(...counts);
    const share = total === 0 ? 0 : (100 * most) / total;
    const read = `Processor ${counts.indexOf(most)} of ${node} handled ${formatCount(share)} % of the received packets on ${cores} processors`;
    const out = facts.maybe(defaultInterfaces) ?? [];
    const queues = facts
      .files(rpsMasks)
      .filter(({ path }) => out.length === 0 || out.includes(path.split('/')[4] ?? ''));
    const isSpread = queues.some(({ text }) => /[1-9a-f]/.test(text));
    if (total < minPackets)
      return pass(`${node} has received too few packets since boot (NET_RX ${formatCount(total)}).`);
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

const governors = '/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor';

const cpuGovernor: PreflightRule = {
  id: 'kernel.cpu-governor',
  title: 'CPU governor',
  checks: 'The governor of every processor.',
  why: "A processor that wakes up from a low clock sends a frame's packets late, and CPU figures at a low clock are too high.",
  good: 'performance, or none, as on virtual machines',
  source: 'Linux: CPU Performance Scaling',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ files: governors }],
  judge: (facts, { node }) => {
    const names = [...new Set(facts.files(governors).map(({ text }) => text.trim()))];
    if (names.length === 0) return pass(`${node} has no governor; its host controls the clock.`);
    return names.every((name) => name === 'performance')
      ? pass(`The governor of ${node} is performance.`)
      : warn(
          `The governor of ${node} is ${names.join(' and ')}; recommended for a test: performance.`,
          `echo performance | sudo tee ${governors}`,
        );
  },
};

export const kernelRules: readonly PreflightRule[] = [
  udpReceiveBuffer,
  udpSendBuffer,
  udpDrops,
  serverFiles,
  fileMax,
  conntrack,
  txQueue,
  softirq,
  cpuGovernor,
];
