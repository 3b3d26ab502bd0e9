import { fail, pass, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { ephemeralName, ephemeralNeeds, ephemeralRange } from '../../text/ports';
import { sysctlFix } from '../../text/sysctl';

export const ports: PreflightRule = {
  id: 'tester.ports',
  title: 'Local ports of the tester',
  checks: `${ephemeralName} against the tester's share of the viewers.`,
  why: 'Each viewer takes a local port, and a closed port stays reserved for a minute (TIME_WAIT).',
  good: 'one port per viewer plus 20 %',
  source: 'Linux: ip-sysctl',
  applies: ({ tester }) => tester === 'local' || tester === 'ssh',
  needs: ephemeralNeeds,
  judge: (facts, { node, viewers }) => {
    const { first, last } = ephemeralRange(facts);
    const room = last - first + 1;
    const read = `${node} has ${whole(room)} local ports`;
    const fix = sysctlFix([ephemeralName, '10240 65535']);
    if (room < viewers) return fail(`${read} for ${whole(viewers)} viewers.`, fix);
    return room < viewers * 1.2
      ? warn(`${read}, barely more than its ${whole(viewers)} viewers.`, fix)
      : pass(`${read} for ${whole(viewers)} viewers.`);
  },
};
