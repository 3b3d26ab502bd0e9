import { on, pass, warn, type PreflightRule } from '../../rule';
import { find, isOn } from '../../text/blocks';
import { whole } from '../../text/numbers';
import { confOf, srsConf, srsFix } from './conf';

const manyPublishers = 50;

export const mergedRead: PreflightRule = {
  id: 'srs.merged-read',
  title: 'Merged reads',
  checks: 'publish { mr } where many publishers are planned.',
  why: 'Merged reads take fewer calls for each publisher, at the price of their latency.',
  good: 'on from 50 RTMP publishers on; off is fine below',
  source: 'SRS: full.conf; Performance',
  applies: on('srs'),
  needs: [srsConf],
  judge: (facts, { node, publishers }) => {
    const conf = confOf(facts);
    // Since SRS 3 within publish, before it a block of its own.
    const isMerged = find(conf, 'publish', 'mr').some(isOn) || find(conf, 'mr', 'enabled').some(isOn);
    if (isMerged) return pass(`Merged reads are on at ${node}.`);
    return publishers < manyPublishers
      ? pass(
          `Merged reads are off at ${node}, which is right for ${whole(publishers)} publisher${publishers === 1 ? '' : 's'}.`,
        )
      : warn(
          `Merged reads are off at ${node}, and ${whole(publishers)} publishers are planned.`,
          srsFix(facts, 'vhost __defaultVhost__ { publish { mr on; mr_latency 350; } }'),
        );
  },
};
