import { onTester, pass, unread, warn, type PreflightRule } from '../../rule';
import { gib, whole } from '../../text/numbers';
import { capacityNeeds, capacityOfMachine } from '../../text/machine';
import { agentCostPercent, costBasis } from './cost';

export const capacity: PreflightRule = {
  id: 'tester.capacity',
  title: 'Tester capacity against the origin',
  checks: 'Cores, memory and network interface of the tester compared with the origin.',
  why: 'With an undersized tester the run measures the tester: 1,000 viewers took 8 hours with one such server and 10 minutes with two.',
  good: 'WCS as a tester: in total twice the cores of the origin; agents: at most half of their own cores (18 % of one for 1,000 media-only viewers)',
  source:
    'Flashphoner: What kind of server do you need to run a thousand WebRTC streams? (test 3); Fullhouse: docs/performance.md',
  applies: onTester,
  needs: capacityNeeds,
  judge: (facts, context) => {
    const { node, tester, origin, testers, viewers } = context;
    const own = capacityOfMachine(facts);
    const has = `${node} has ${whole(own.cores)} cores and ${gib(own.memoryBytes)}`;
    const other = origin?.capacity;
    const beside = other ? `, ${origin.node} has ${whole(other.cores)} cores and ${gib(other.memoryBytes)}` : '';
    const slower =
      other?.nicMbps !== undefined && own.nicMbps !== undefined && own.nicMbps * testers < other.nicMbps
        ? ` Its interface is slower than the origin's (${whole(own.nicMbps)} against ${whole(other.nicMbps)} Mbit/s), so it may saturate first.`
        : '';
    if (tester === 'wcs') {
      if (!other) return unread(`${has}; the capacity of ${origin?.node ?? 'the origin'} could not be read.`);
      const wanted = 2 * other.cores;
      return own.cores * testers >= wanted && slower === ''
        ? pass(`${has}${beside}: in total twice the cores, as the vendor recommends.`)
        : warn(
            `${has}${beside}; ${testers > 1 ? 'all pulling WCS sharedWith' : 'a pulling WCS'} should have twice the cores of the serving one.${slower}`,
            `Distribute the viewers over ${whole(Math.max(testers + 1, Math.ceil(wanted / own.cores)))} such testers.`,
          );
    }
    const cost = agentCostPercent(context);
    const share = cost / own.cores;
    const sentence = `${has}${beside}; ${whole(viewers)} viewers cost its agent about ${whole(Math.max(1, cost))} % of one core (${costBasis(context)}).${slower}`;
    return share > 50
      ? warn(sentence, `Distribute the viewers over ${whole(Math.ceil((testers * share) / 50))} such testers.`)
      : slower === ''
        ? pass(sentence)
        : warn(sentence);
  },
};
