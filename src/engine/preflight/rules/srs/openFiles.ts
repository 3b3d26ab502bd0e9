import { fail, on, pass, type PreflightRule } from '../../rule';
import { lastNumber } from '../../text/blocks';
import { lowestOpenFilesLimit } from '../../text/machine';
import { whole } from '../../text/numbers';
import { confOf, srsConf } from './conf';

export const openFiles: PreflightRule = {
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
    const read = `Open files limit of SRS on ${node}: ${limit.soft === Infinity ? 'unlimited' : whole(limit.soft)}, max_connections: ${whole(connections)}`;
    const wanted = Math.max(10_240, connections + 1000);
    return limit.soft >= connections + 100
      ? pass(`${read}.`)
      : fail(
          `${read}; it needs more files than connections.`,
          `sudo prlimit --pid ${pid} --nofile=${wanted}:${wanted}\n# permanent, in the service's unit: LimitNOFILE=${wanted}`,
        );
  },
};
