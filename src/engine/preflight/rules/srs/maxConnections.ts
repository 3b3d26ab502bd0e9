import { fail, on, pass, type PreflightRule } from '../../rule';
import { lastNumber } from '../../text/blocks';
import { whole } from '../../text/numbers';
import { confOf, srsConf, srsFix } from './conf';

export const maxConnections: PreflightRule = {
  id: 'srs.max-connections',
  title: 'Connections of SRS',
  checks: 'max_connections.',
  why: 'SRS closes every connection beyond it at once.',
  good: 'the viewers and publishers, and 100 besides; 1,000 where it is not set',
  source: 'SRS: full.conf; Performance',
  applies: on('srs'),
  needs: [srsConf],
  judge: (facts, { node, viewers, publishers }) => {
    const set = lastNumber(confOf(facts), 'max_connections');
    const most = set ?? 1000;
    const needed = viewers + publishers + 100;
    const read = `max_connections of ${node} ${set === undefined ? 'is not set, so 1,000 holds' : `is ${whole(most)}`}`;
    return most >= needed
      ? pass(`${read}; this plan needs ${whole(needed)}.`)
      : fail(
          `${read}; this plan needs ${whole(needed)}.`,
          srsFix(facts, `max_connections ${Math.ceil(needed / 1000) * 1000 + 1000};`),
        );
  },
};
