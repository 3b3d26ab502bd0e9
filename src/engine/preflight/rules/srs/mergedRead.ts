import { on, pass, warn, type PreflightRule } from '../../rule';
import { find, isOn } from '../../text/blocks';
import { whole } from '../../text/numbers';
import { confOf, srsConf, srsFix } from './conf';

const manyPublishers = 50;

export const mergedRead: PreflightRule = {
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
          `Merged reads are off at ${node}, which is fine for ${whole(publishers)} publisher${publishers === 1 ? '' : 's'}.`,
        )
      : warn(
          `Merged reads are off at ${node}, and ${whole(publishers)} publishers are planned.`,
          srsFix(facts, 'vhost __defaultVhost__ { publish { mr on; mr_latency 350; } }'),
        );
  },
};
