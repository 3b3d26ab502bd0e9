import type { Facts } from '../reading/facts';
import type { Need } from '../reading/need';
import { srsSettings } from '../reading/srsSettings';
import { fail, on, pass, type PreflightRule, warn } from '../rule';
import { type Directive, find, isOn, lastNumber, readBlocks } from '../text/blocks';
import { lowestOpenFilesLimit } from '../text/machine';
import { formatCount } from '../../../domain/text/numberFormat';
import { linesFor } from '../text/properties';
import { sysctlFix, sysctlNumber, sysctlPath } from '../text/sysctl';

const srsConf: Need = { config: 'srs.conf' };
/** The settings of SRS: those of its environment replace those of its file. */
function confOf(facts: Facts): readonly Directive[] {
  const { text, environment = {} } = facts.config('srs.conf');
  return srsSettings.reduce<readonly Directive[]>((directives, { variable, path }) => {
    const value = environment[`SRS_${variable}`];
    return value === undefined || value === '' ? directives : [...without(directives, path), made(path, value)];
  }, readBlocks(text));
}

/** The variable of SRS's environment that sets this; undefined where its file does. */
function variableOf(facts: Facts, setting: string): string | undefined {
  const { environment = {} } = facts.config('srs.conf');
  const found = srsSettings.find(({ path }) => path.at(-1) === setting);
  const name = found && `SRS_${found.variable}`;
  return name !== undefined && environment[name] ? name : undefined;
}

function without(directives: readonly Directive[], path: readonly string[]): readonly Directive[] {
  const [name, ...rest] = path;
  return directives.flatMap((directive) => {
    if (directive.name === name && rest.length === 0) return [];
    const inner = directive.name === name ? rest : path;
    return directive.block ? [{ ...directive, block: without(directive.block, inner) }] : [directive];
  });
}

function made([name = '', ...rest]: readonly string[], value: string): Directive {
  return rest.length === 0 ? { name, words: [value] } : { name, words: [], block: [made(rest, value)] };
}

const srsFix = (facts: Facts, ...lines: readonly string[]): string =>
  linesFor(facts.config('srs.conf').path, lines, 'restart SRS (max_connections) or reload it');

const maxConnections: PreflightRule = {
  id: 'srs.max-connections',
  title: 'Connections of SRS',
  checks: 'max_connections.',
  why: 'SRS closes every connection beyond the limit at once.',
  good: 'viewers and publishers plus 100; default 1,000',
  source: 'SRS: full.conf; Performance',
  applies: on('srs'),
  needs: [srsConf],
  judge: (facts, { node, viewers, publishers }) => {
    const set = lastNumber(confOf(facts), 'max_connections');
    const limit = set ?? 1000;
    const needed = viewers + publishers + 100;
    const variable = variableOf(facts, 'max_connections');
    const by = variable === undefined ? '' : ` (${variable} of its environment)`;
    const read = `max_connections of ${node} ${set === undefined ? 'is not set (default 1,000)' : `is ${formatCount(limit)}${by}`}`;
    const enough = Math.ceil(needed / 1000) * 1000 + 1000;
    return limit >= needed
      ? pass(`${read}; this plan needs ${formatCount(needed)}.`)
      : fail(
          `${read}; this plan needs ${formatCount(needed)}.`,
          variable === undefined
            ? srsFix(facts, `max_connections ${enough};`)
            : `# in the environment of SRS, then restart it\n${variable}=${enough}`,
        );
  },
};

const openFiles: PreflightRule = {
  id: 'srs.open-files',
  title: 'Open files against max_connections',
  checks: 'Max open files of the running SRS against its own max_connections.',
  why: 'With fewer files SRS refuses viewers before max_connections is reached, or does not start.',
  good: 'more open files than max_connections plus 100',
  source: 'SRS: Performance (ulimit -HSn 10240)',
  applies: on('srs'),
  needs: [srsConf, { process: 'server' }],
  judge: (facts, { node }) => {
    const { pid, limit } = lowestOpenFilesLimit(facts.processes());
    const connections = lastNumber(confOf(facts), 'max_connections') ?? 1000;
    const read = `Open files limit of SRS on ${node}: ${limit.soft === Infinity ? 'unlimited' : formatCount(limit.soft)}, max_connections: ${formatCount(connections)}`;
    const recommended = Math.max(10_240, connections + 1000);
    return limit.soft >= connections + 100
      ? pass(`${read}.`)
      : fail(
          `${read}; it needs more files than connections.`,
          `sudo prlimit --pid ${pid} --nofile=${recommended}:${recommended}\n# permanent, in the service's unit: LimitNOFILE=${recommended}`,
        );
  },
};

const defaultWriteMs = 350;

const mergedWrite: PreflightRule = {
  id: 'srs.merged-write',
  title: 'Merged writes',
  checks: 'mw_latency, min_latency and tcp_nodelay: how many packets SRS writes to a viewer at once.',
  why: 'Each of them trades CPU for latency: one call per packet and viewer instead of one per third of a second.',
  good: 'mw_latency of at least 350 ms, min_latency and tcp_nodelay off, for many RTMP or FLV viewers',
  source: 'SRS: full.conf; Low latency; Performance',
  applies: ({ server, protocols }) => server === 'srs' && protocols.includes('rtmp'),
  needs: [srsConf],
  judge: (facts, { node }) => {
    const conf = confOf(facts);
    const milliseconds = lastNumber(conf, 'mw_latency') ?? defaultWriteMs;
    const eager = ['min_latency', 'tcp_nodelay'].filter((name) => find(conf, name).some((words) => isOn(words)));
    if (milliseconds >= defaultWriteMs && eager.length === 0)
      return pass(`SRS on ${node} writes to a viewer every ${formatCount(milliseconds)} ms.`);
    const causes = [
      ...(milliseconds < defaultWriteMs ? [`mw_latency is ${formatCount(milliseconds)} ms`] : []),
      ...eager.map((name) => `${name} is on`),
    ];
    return warn(
      `On ${node} ${causes.join(' and ')}: optimised for latency, not for many viewers.`,
      srsFix(facts, 'vhost __defaultVhost__ { tcp_nodelay off; min_latency off; play { mw_latency 350; } }'),
    );
  },
};

const manyPublishers = 50;

const mergedRead: PreflightRule = {
  id: 'srs.merged-read',
  title: 'Merged reads',
  checks: 'publish { mr } with many planned publishers.',
  why: 'Merged reads need fewer calls per publisher, at the cost of latency.',
  good: 'on from 50 RTMP publishers; off is fine below',
  source: 'SRS: full.conf; Performance',
  applies: on('srs'),
  needs: [srsConf],
  judge: (facts, { node, publishers }) => {
    const conf = confOf(facts);
    // Within publish since SRS 3, before that a separate block.
    const isMerged = find(conf, 'publish', 'mr').some(isOn) || find(conf, 'mr', 'enabled').some(isOn);
    if (isMerged) return pass(`Merged reads are on at ${node}.`);
    return publishers < manyPublishers
      ? pass(
          `Merged reads are off at ${node}, which is fine for ${formatCount(publishers)} publisher${publishers === 1 ? '' : 's'}.`,
        )
      : warn(
          `Merged reads are off at ${node}, and ${formatCount(publishers)} publishers are planned.`,
          srsFix(facts, 'vhost __defaultVhost__ { publish { mr on; mr_latency 350; } }'),
        );
  },
};

const bufferNames = ['net.core.rmem_default', 'net.core.wmem_default'] as const;
const goodBufferBytes = 16 * 1024 * 1024;

const defaultBuffers: PreflightRule = {
  id: 'srs.default-buffers',
  title: 'Default UDP buffers',
  checks: `${bufferNames.join(' and ')}: buffers of a socket by default.`,
  why: "SRS serves all WebRTC viewers over one UDP socket with the system's default buffers.",
  good: '16 MB each',
  source: 'SRS: Performance (RTC)',
  applies: ({ server, protocols }) => server === 'srs' && protocols.includes('whep'),
  needs: bufferNames.map((name) => ({ file: sysctlPath(name) })),
  judge: (facts, { node }) => {
    const short = bufferNames.filter((name) => sysctlNumber(facts, name) < goodBufferBytes);
    if (short.length === 0)
      return pass(`Default socket buffers on ${node} are ${formatCount(goodBufferBytes)} bytes or more.`);
    return warn(
      `${short.map((name) => `${name} is ${formatCount(sysctlNumber(facts, name))}`).join(' and ')} on ${node}; recommended: ${formatCount(goodBufferBytes)}.`,
      sysctlFix(...short.map((name) => [name, goodBufferBytes] as const)),
    );
  },
};

export const srsRules: readonly PreflightRule[] = [maxConnections, openFiles, mergedWrite, mergedRead, defaultBuffers];
