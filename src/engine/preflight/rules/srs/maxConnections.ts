import { fail, on, pass, type PreflightRule } from '../../rule';
import { lastNumber } from '../../text/blocks';
import { whole } from '../../text/numbers';
import { confOf, srsConf, srsFix, variableOf } from './conf';

export const maxConnections: PreflightRule = {
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
    const read = `max_connections of ${node} ${set === undefined ? 'is not set (default 1,000)' : `is ${whole(limit)}${by}`}`;
    const enough = Math.ceil(needed / 1000) * 1000 + 1000;
    return limit >= needed
      ? pass(`${read}; this plan needs ${whole(needed)}.`)
      : fail(
          `${read}; this plan needs ${whole(needed)}.`,
          variable === undefined
            ? srsFix(facts, `max_connections ${enough};`)
            : `# in the environment of SRS, then restart it\n${variable}=${enough}`,
        );
  },
};
