import { fail, on, pass, warn, type PreflightRule } from '../../rule';
import { lowestOpenFilesLimit } from '../../text/machine';
import { whole } from '../../text/numbers';

/** Logs, libraries, listening sockets and connections to backends. */
const ownFiles = 500;

export const serverFiles: PreflightRule = {
  id: 'kernel.server-files',
  title: "Open files of the server's process",
  checks: 'Max open files of the running server (/proc/PID/limits), not of a login shell.',
  why: 'A viewer takes one or two sockets; at the limit the server accepts no more connections, often without an error.',
  good: 'two per viewer plus 500; WCS is started with 100,000 in tests',
  source: 'SRS: Performance (ulimit -HSn); WCS manual: set-fd-limit',
  applies: on('wcs', 'srs', 'nginx-rtmp', 'livekit'),
  needs: [{ process: 'server' }],
  judge: (facts, { node, viewers, publishers, server }) => {
    const { pid, limit } = lowestOpenFilesLimit(facts.processes());
    const needed = 2 * (viewers + publishers) + ownFiles;
    const wanted = Math.max(100_000, needed);
    const read = `Open files limit of process ${pid} on ${node}: ${limit.soft === Infinity ? 'unlimited' : whole(limit.soft)}`;
    const fix =
      server === 'wcs'
        ? `sudo /usr/local/FlashphonerWebCallServer/bin/webcallserver set-fd-limit ${wanted}`
        : `sudo prlimit --pid ${pid} --nofile=${wanted}:${wanted}\n# permanent, in the service's unit: LimitNOFILE=${wanted}`;
    if (limit.soft >= needed) return pass(`${read}; ${whole(viewers)} viewers need about ${whole(needed)}.`);
    const sentence = `${read}; ${whole(viewers)} viewers need about ${whole(needed)}.`;
    return limit.soft >= viewers + ownFiles ? warn(sentence, fix) : fail(sentence, fix);
  },
};
