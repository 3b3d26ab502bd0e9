import { fail, on, pass, type PreflightRule } from '../../rule';
import { lastNumber } from '../../text/blocks';
import { leastOpenFiles } from '../../text/machine';
import { whole } from '../../text/numbers';
import { confOf, srsConf } from './conf';

export const openFiles: PreflightRule = {
  id: 'srs.open-files',
  title: 'Open files against max_connections',
  checks: 'Max open files of the running SRS against its own max_connections.',
  why: 'SRS promises max_connections; with fewer files it refuses viewers before that, or does not start.',
  good: 'more open files than max_connections and 100 of its own',
  source: 'SRS: Performance (ulimit -HSn 10240)',
  applies: on('srs'),
  needs: [srsConf, { process: 'server' }],
  judge: (facts, { node }) => {
    const { pid, limit } = leastOpenFiles(facts.processes());
    const connections = lastNumber(confOf(facts), 'max_connections') ?? 1000;
    const read = `SRS on ${node} may have ${limit.soft === Infinity ? 'any number of' : whole(limit.soft)} open files and ${whole(connections)} connections`;
    const wanted = Math.max(10_240, connections + 1000);
    return limit.soft >= connections + 100
      ? pass(`${read}.`)
      : fail(
          `${read}; it needs more files than connections.`,
          `sudo prlimit --pid ${pid} --nofile=${wanted}:${wanted}\n# for every start after it, in the service's unit: LimitNOFILE=${wanted}`,
        );
  },
};
