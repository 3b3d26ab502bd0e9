import { onTester, pass, unread, warn, type PreflightRule } from '../../rule';
import { gib, whole } from '../../text/numbers';
import { strengthNeeds, strengthOf } from '../../text/machine';
import { agentCostPercent, costBasis } from './cost';

export const strength: PreflightRule = {
  id: 'tester.strength',
  title: "Tester's strength against the origin's",
  checks: 'Cores, memory and network interface of the tester beside those of the origin.',
  why: 'A tester that is too weak is what the run measures: 1,000 viewers took 8 hours with one such server and 10 minutes with two.',
  good: 'WCS as a tester: together twice the cores of the origin; agents: at most half of their own cores (18 % of one for 1,000 lean viewers)',
  source:
    'Flashphoner: What kind of server do you need to run a thousand WebRTC streams? (test 3); Fullhouse: docs/performance.md',
  applies: onTester,
  needs: strengthNeeds,
  judge: (facts, look) => {
    const { node, tester, origin, testers, viewers } = look;
    const own = strengthOf(facts);
    const has = `${node} has ${whole(own.cores)} cores and ${gib(own.memoryBytes)}`;
    const other = origin?.strength;
    const beside = other
      ? `, ${origin.node} has ${whole(other.cores)} cores and ${gib(other.memoryBytes)}`
      : '';
    const slower =
      other?.nicMbps !== undefined && own.nicMbps !== undefined && own.nicMbps * testers < other.nicMbps
        ? ` Its interface is slower than the origin's (${whole(own.nicMbps)} against ${whole(other.nicMbps)} Mbit/s), so it may fill first.`
        : '';
    if (tester === 'wcs') {
      if (!other) return unread(`${has}; how strong ${origin?.node ?? 'the origin'} is could not be read.`);
      const wanted = 2 * other.cores;
      return own.cores * testers >= wanted && slower === ''
        ? pass(`${has}${beside}: twice as strong together, as the makers advise.`)
        : warn(
            `${has}${beside}; a WCS that pulls should be twice as strong as the one that serves, ${testers > 1 ? 'all of them together' : 'or there should be more of them'}.${slower}`,
            `Split the viewers over ${whole(Math.max(testers + 1, Math.ceil(wanted / own.cores)))} testers like it.`,
          );
    }
    const cost = agentCostPercent(look);
    const share = cost / own.cores;
    const sentence = `${has}${beside}; ${whole(viewers)} viewers cost its agent about ${whole(Math.max(1, cost))} % of one core (${costBasis(look)}).${slower}`;
    return share > 50
      ? warn(sentence, `Split the viewers over ${whole(Math.ceil((testers * share) / 50))} testers like it.`)
      : slower === ''
        ? pass(sentence)
        : warn(sentence);
  },
};
