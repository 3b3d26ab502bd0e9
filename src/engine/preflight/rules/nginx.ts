import type { Facts } from '../reading/facts';
import type { Need } from '../reading/need';
import { fail, on, pass, type PreflightRule, unread, warn } from '../rule';
import { type Directive, find, isOn, lastNumber, readBlocks } from '../text/blocks';
import { lowestOpenFilesLimit } from '../text/machine';
import { formatCount } from '../../../domain/text/numberFormat';
import { linesFor } from '../text/properties';

const nginxConf: Need = { config: 'nginx.conf' };
const confOf = (facts: Facts): readonly Directive[] => readBlocks(facts.config('nginx.conf').text);
const nginxFix = (facts: Facts, ...lines: readonly string[]): string =>
  linesFor(facts.config('nginx.conf').path, lines, 'nginx -t && nginx -s reload');
/** Connections besides viewers: the stat page, control, HLS. */
const spareConnections = 100;

const workerConnections: PreflightRule = {
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
    const read = `worker_connections of ${node} ${set === undefined ? 'is not set (default 512)' : `is ${formatCount(limit)}`}`;
    return limit >= needed
      ? pass(`${read}; this plan needs ${formatCount(needed)}.`)
      : fail(
          `${read}; this plan needs ${formatCount(needed)}.`,
          nginxFix(facts, `events { worker_connections ${Math.max(10_240, needed * 2)}; }`),
        );
  },
};

const workerFiles: PreflightRule = {
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
    const read = `Open files limit of a worker of ${node}: ${files === Infinity ? 'unlimited' : formatCount(files)}${set === undefined ? ' (limit of its process)' : ' (worker_rlimit_nofile)'}`;
    if (files < needed) return fail(`${read}; this plan needs ${formatCount(needed)}.`, fix);
    return files < connections
      ? warn(`${read}, fewer than its ${formatCount(connections)} connections.`, fix)
      : pass(`${read}.`);
  },
};

const workers: PreflightRule = {
  id: 'nginx.workers',
  title: 'Workers',
  checks: 'worker_processes, and rtmp_auto_push where there is more than one.',
  why: 'A stream lives in the worker that accepted its publisher; viewers on other workers see nothing unless rtmp_auto_push forwards it.',
  good: 'one worker, or rtmp_auto_push on',
  source: 'nginx-rtmp: Directives (rtmp_auto_push); SRS: Performance (worker_processes 1)',
  applies: on('nginx-rtmp'),
  needs: [nginxConf],
  judge: (facts, { node }) => {
    const conf = confOf(facts);
    const [count = '1'] = find(conf, 'worker_processes').at(-1) ?? [];
    const isPushed = find(conf, 'rtmp_auto_push').some(isOn);
    if (count === '1') return pass(`nginx on ${node} has one worker.`);
    return isPushed
      ? pass(`nginx on ${node} has ${count} workers and forwards streams to all of them.`)
      : warn(
          `nginx on ${node} has ${count} workers and does not forward streams between them: viewers on the other workers see nothing.`,
          nginxFix(facts, 'worker_processes 1;'),
        );
  },
};

const defaultSize = 4096;

const chunkSize: PreflightRule = {
  id: 'nginx.chunk-size',
  title: 'RTMP chunk size',
  checks: 'chunk_size of the rtmp block.',
  why: 'Every chunk has its own header and buffer, for every viewer: small ones cost CPU.',
  good: 'at least 4096, which is the default',
  source: 'nginx-rtmp: Directives (chunk_size)',
  applies: on('nginx-rtmp'),
  needs: [nginxConf],
  judge: (facts, { node }) => {
    const conf = confOf(facts);
    if (!conf.some(({ name }) => name === 'rtmp') && find(conf, 'include').length > 0)
      return unread(`The rtmp block of ${node} is in a file that ${facts.config('nginx.conf').path} includes.`);
    const size = lastNumber(conf, 'rtmp', 'chunk_size') ?? defaultSize;
    return size >= defaultSize
      ? pass(`chunk_size of ${node} is ${formatCount(size)} bytes.`)
      : warn(
          `chunk_size of ${node} is ${formatCount(size)} bytes; ${formatCount(defaultSize)} or more costs less CPU.`,
          nginxFix(facts, `chunk_size ${defaultSize};   # in rtmp { server { … } }`),
        );
  },
};

export const nginxRules: readonly PreflightRule[] = [workerConnections, workerFiles, workers, chunkSize];
