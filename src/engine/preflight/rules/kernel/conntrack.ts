import { everywhere, fail, pass, unread, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { numberIn, sysctlFix, sysctlPath } from '../../text/sysctl';

const limitName = 'net.netfilter.nf_conntrack_max';
const countName = 'net.netfilter.nf_conntrack_count';

export const conntrack: PreflightRule = {
  id: 'kernel.conntrack',
  title: 'Connection tracking',
  checks: `${limitName} against ${countName} plus the viewers' connections, where the firewall tracks connections.`,
  why: 'When the table is full the kernel drops packets of every new connection and reports it only in its own log.',
  good: 'two entries per viewer, with at most 80 % used',
  source: 'Linux: nf_conntrack-sysctl',
  isOfMachine: true,
  applies: everywhere,
  // As patterns, since these files do not exist on a machine without a firewall.
  needs: [{ files: sysctlPath(limitName) }, { files: sysctlPath(countName) }],
  judge: (facts, { node, viewers }) => {
    const [limitFile] = facts.files(sysctlPath(limitName));
    if (!limitFile) return pass(`${node} tracks no connections.`);
    const limit = numberIn(limitFile.text, limitName);
    const [counted] = facts.files(sysctlPath(countName));
    if (!counted)
      return unread(
        `The number of connections tracked on ${node} can't be read; the table has ${whole(limit)} entries.`,
      );
    const count = numberIn(counted.text, countName);
    const needed = count + 2 * viewers;
    const read = `${node} tracks ${whole(count)} of max ${whole(limit)} connections`;
    const fix = sysctlFix([limitName, Math.max(262_144, 2 ** Math.ceil(Math.log2(needed * 2)))]);
    if (needed > limit) return fail(`${read}; ${whole(viewers)} viewers need ${whole(needed)}.`, fix);
    return needed > limit * 0.8
      ? warn(`${read}; with ${whole(viewers)} viewers more than 80 % are used.`, fix)
      : pass(`${read}; enough for ${whole(viewers)} viewers.`);
  },
};
