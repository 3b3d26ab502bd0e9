import { fail, on, pass, type PreflightRule } from '../../rule';
import { lastNumber } from '../../text/blocks';
import { whole } from '../../text/numbers';
import { confOf, nginxConf, nginxFix, spareConnections } from './conf';

export const workerConnections: PreflightRule = {
  id: 'nginx.worker-connections',
  title: 'Connections of a worker',
  checks: 'worker_connections.',
  why: 'A worker at its limit accepts no more viewers; a stream lives in one worker, so others do not help.',
  good: 'viewers and publishers plus 100; default 512',
  source: 'nginx: core module; SRS: Performance (nginx-rtmp with worker_connections 10240)',
  applies: on('nginx-rtmp'),
  needs: [nginxConf],
  judge: (facts, { node, viewers, publishers }) => {
    const set = lastNumber(confOf(facts), 'events', 'worker_connections');
    const limit = set ?? 512;
    const needed = viewers + publishers + spareConnections;
    const read = `worker_connections of ${node} ${set === undefined ? 'is not set (default 512)' : `is ${whole(limit)}`}`;
    return limit >= needed
      ? pass(`${read}; this plan needs ${whole(needed)}.`)
      : fail(
          `${read}; this plan needs ${whole(needed)}.`,
          nginxFix(facts, `events { worker_connections ${Math.max(10_240, needed * 2)}; }`),
        );
  },
};
