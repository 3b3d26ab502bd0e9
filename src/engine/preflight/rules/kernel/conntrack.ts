import { everywhere, fail, pass, unread, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { numberIn, sysctlFix, sysctlPath } from '../../text/sysctl';

const mostName = 'net.netfilter.nf_conntrack_max';
const countName = 'net.netfilter.nf_conntrack_count';

export const conntrack: PreflightRule = {
  id: 'kernel.conntrack',
  title: 'Connection tracking',
  checks: `${mostName} against ${countName} and what the viewers add, where the firewall tracks connections at all.`,
  why: 'When the table is full the kernel drops packets of every new connection, and only its own log says so.',
  good: 'room for two entries a viewer, and not more than 80 % full then',
  source: 'Linux: nf_conntrack-sysctl',
  isOfMachine: true,
  applies: everywhere,
  // As patterns, since a machine without a firewall has neither.
  needs: [{ files: sysctlPath(mostName) }, { files: sysctlPath(countName) }],
  judge: (facts, { node, viewers }) => {
    const [most] = facts.files(sysctlPath(mostName));
    if (!most) return pass(`${node} tracks no connections.`);
    const limit = numberIn(most.text, mostName);
    const [counted] = facts.files(sysctlPath(countName));
    if (!counted)
      return unread(
        `How many connections ${node} tracks now may not be read; the table holds ${whole(limit)}.`,
      );
    const count = numberIn(counted.text, countName);
    const needed = count + 2 * viewers;
    const read = `${node} tracks ${whole(count)} of at most ${whole(limit)} connections`;
    const fix = sysctlFix([mostName, Math.max(262_144, 2 ** Math.ceil(Math.log2(needed * 2)))]);
    if (needed > limit)
      return fail(`${read}; with ${whole(viewers)} viewers ${whole(needed)} are wanted.`, fix);
    return needed > limit * 0.8
      ? warn(`${read}; with ${whole(viewers)} viewers it is more than four fifths full.`, fix)
      : pass(`${read}; ${whole(viewers)} viewers fit.`);
  },
};
