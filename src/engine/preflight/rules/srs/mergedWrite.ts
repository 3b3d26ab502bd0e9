import { pass, warn, type PreflightRule } from '../../rule';
import { find, isOn, lastNumber } from '../../text/blocks';
import { whole } from '../../text/numbers';
import { confOf, srsConf, srsFix } from './conf';

const defaultMs = 350;

export const mergedWrite: PreflightRule = {
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
    const milliseconds = lastNumber(conf, 'mw_latency') ?? defaultMs;
    const eager = ['min_latency', 'tcp_nodelay'].filter((name) => find(conf, name).some((words) => isOn(words)));
    if (milliseconds >= defaultMs && eager.length === 0)
      return pass(`SRS on ${node} writes to a viewer every ${whole(milliseconds)} ms.`);
    const found = [
      ...(milliseconds < defaultMs ? [`mw_latency is ${whole(milliseconds)} ms`] : []),
      ...eager.map((name) => `${name} is on`),
    ];
    return warn(
      `On ${node} ${found.join(' and ')}: optimised for latency, not for many viewers.`,
      srsFix(facts, 'vhost __defaultVhost__ { tcp_nodelay off; min_latency off; play { mw_latency 350; } }'),
    );
  },
};
