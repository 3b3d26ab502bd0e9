import { fail, pass, unread, type PreflightRule } from '../../rule';
import { openFilesLimit } from '../../text/machine';
import { whole } from '../../text/numbers';

const limits = '/proc/self/limits';
/** Files reserved for the agent itself. */
const spare = 256;

export const openFiles: PreflightRule = {
  id: 'tester.open-files',
  title: 'Open files of the tester',
  checks: 'The hard limit of the session that starts the agent; the agent raises the soft limit itself.',
  why: 'Each viewer is a socket of the tester; at the limit viewers fail because of the tester.',
  good: 'its share of the viewers plus 256',
  source: 'Fullhouse: docs/agent-protocol.md',
  applies: ({ tester }) => tester === 'local' || tester === 'ssh',
  needs: [{ file: limits }],
  judge: (facts, { node, viewers }) => {
    const limit = openFilesLimit(facts.file(limits));
    if (!limit) return unread(`${limits} of ${node} has no limit of open files.`);
    const needed = viewers + spare;
    const read = `Open files limit of an agent on ${node}: ${limit.hard === Infinity ? 'unlimited' : whole(limit.hard)}`;
    return limit.hard >= needed
      ? pass(`${read}; ${whole(viewers)} viewers need ${whole(needed)}.`)
      : fail(
          `${read}; ${whole(viewers)} viewers need ${whole(needed)}.`,
          `printf '* - nofile ${Math.max(65_536, needed * 2)}\\n' | sudo tee /etc/security/limits.d/60-fullhouse.conf   # for new sessions`,
        );
  },
};
