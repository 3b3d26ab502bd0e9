import { fail, on, pass, warn, type PreflightRule } from '../../rule';
import { lastNumber } from '../../text/blocks';
import { lowestOpenFilesLimit } from '../../text/machine';
import { whole } from '../../text/numbers';
import { confOf, nginxConf, nginxFix, spareConnections } from './conf';

export const workerFiles: PreflightRule = {
  id: 'nginx.worker-files',
  title: 'Open files of a worker',
  checks: 'worker_rlimit_nofile, and the limits of the running workers.',
  why: 'Each connection is an open file; with fewer files than connections the worker logs "Too many open files" and drops viewers.',
  good: 'at least worker_connections, and what the plan needs',
  source: 'nginx: core module (worker_rlimit_nofile)',
  applies: on('nginx-rtmp'),
  needs: [nginxConf, { process: 'server' }],
  judge: (facts, { node, viewers, publishers }) => {
    const conf = confOf(facts);
    const set = lastNumber(conf, 'worker_rlimit_nofile');
    const running = facts.maybe((all) => lowestOpenFilesLimit(all.processes()).limit.soft);
    const files = set ?? running;
    const connections = lastNumber(conf, 'events', 'worker_connections') ?? 512;
    const needed = viewers + publishers + spareConnections;
    const fix = nginxFix(facts, `worker_rlimit_nofile ${Math.max(20_480, needed * 2, connections)};`);
    if (files === undefined)
      return warn(`worker_rlimit_nofile of ${node} is not set, and its workers could not be inspected.`, fix);
    const read = `Open files limit of a worker of ${node}: ${files === Infinity ? 'unlimited' : whole(files)}${set === undefined ? ' (limit of its process)' : ' (worker_rlimit_nofile)'}`;
    if (files < needed) return fail(`${read}; this plan needs ${whole(needed)}.`, fix);
    return files < connections
      ? warn(`${read}, fewer than its ${whole(connections)} connections.`, fix)
      : pass(`${read}.`);
  },
};
