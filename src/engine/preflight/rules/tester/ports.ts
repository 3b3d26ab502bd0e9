import { fail, pass, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { ephemeralName, ephemeralNeeds, ephemeralRange } from '../../text/ports';
import { sysctlFix } from '../../text/sysctl';

export const ports: PreflightRule = {
  id: 'tester.ports',
  title: 'Ports of the tester',
  checks: `${ephemeralName} against the tester's share of the viewers.`,
  why: 'Each viewer takes a local port, and a port that was closed rests for a minute.',
  good: 'one port for each viewer and a fifth more',
  source: 'Linux: ip-sysctl',
  applies: ({ tester }) => tester === 'local' || tester === 'ssh',
  needs: ephemeralNeeds,
  judge: (facts, { node, viewers }) => {
    const { first, last } = ephemeralRange(facts);
    const room = last - first + 1;
    const read = `${node} has ${whole(room)} local ports to give out`;
    const fix = sysctlFix([ephemeralName, '10240 65535']);
    if (room < viewers) return fail(`${read} for ${whole(viewers)} viewers.`, fix);
    return room < viewers * 1.2
      ? warn(`${read}, hardly more than its ${whole(viewers)} viewers.`, fix)
      : pass(`${read} for ${whole(viewers)} viewers.`);
  },
};
