import type { ViewerCost } from '../../../domain/model/testerMeasured';
import { viewerCost } from '../../../domain/tester/viewerLimit';
import { type CheckContext, fail, onTester, pass, type PreflightRule, unread, warn } from '../rule';
import { capacityNeeds, capacityOfMachine, openFilesLimit } from '../text/machine';
import { formatCount } from '../../../domain/text/numberFormat';
import { gib } from '../text/numbers';
import { ephemeralName, ephemeralNeeds, ephemeralRange } from '../text/ports';
import { sysctlFix } from '../text/sysctl';
import { wcsPorts } from '../text/wcsPorts';

function costOf({ viewers, mbps, protocols, measured }: CheckContext): ViewerCost {
  const kbps = mbps === undefined || viewers === 0 ? undefined : (mbps * 1000) / viewers;
  const all = protocols.map((protocol) => viewerCost(protocol, kbps, measured));
  const [mostExpensive = viewerCost('whep', kbps, measured)] = all.sort((a, b) => b.corePercent - a.corePercent);
  return mostExpensive;
}

/** CPU cost of a tester's share on its agent, in percent of one core. */
function agentCostPercent(context: CheckContext): number {
  return context.viewers * costOf(context).corePercent;
}

/** Basis of that figure. */
function costBasis(context: CheckContext): string {
  const { measuredMs } = costOf(context);
  return measuredMs === undefined ? 'estimated' : `measured ${new Date(measuredMs).toISOString().slice(0, 10)}`;
}

const capacity: PreflightRule = {
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
    const capacity = capacityOfMachine(facts);
    const has = `${node} has ${formatCount(capacity.cores)} cores and ${gib(capacity.memoryBytes)}`;
    const other = origin?.capacity;
    const beside = other ? `, ${origin.node} has ${formatCount(other.cores)} cores and ${gib(other.memoryBytes)}` : '';
    const slower =
      other?.nicMbps !== undefined && capacity.nicMbps !== undefined && capacity.nicMbps * testers < other.nicMbps
        ? ` Its interface is slower than the origin's (${formatCount(capacity.nicMbps)} against ${formatCount(other.nicMbps)} Mbit/s), so it may saturate first.`
        : '';
    if (tester === 'wcs') {
      if (!other) return unread(`${has}; the capacity of ${origin?.node ?? 'the origin'} could not be read.`);
      const recommended = 2 * other.cores;
      return capacity.cores * testers >= recommended && slower === ''
        ? pass(`${has}${beside}: in total twice the cores, as the vendor recommends.`)
        : warn(
            `${has}${beside}; ${testers > 1 ? 'all pulling WCS together' : 'a pulling WCS'} should have twice the cores of the serving one.${slower}`,
            `Distribute the viewers over ${formatCount(Math.max(testers + 1, Math.ceil(recommended / capacity.cores)))} such testers.`,
          );
    }
    const cost = agentCostPercent(context);
    const share = cost / capacity.cores;
    const sentence = `${has}${beside}; ${formatCount(viewers)} viewers cost its agent about ${formatCount(Math.max(1, cost))} % of one core (${costBasis(context)}).${slower}`;
    return share > 50
      ? warn(sentence, `Distribute the viewers over ${formatCount(Math.ceil((testers * share) / 50))} such testers.`)
      : slower === ''
        ? pass(sentence)
        : warn(sentence);
  },
};

const ownLimits = '/proc/self/limits';
/** Files reserved for the agent itself. */
const spareFiles = 256;

const openFiles: PreflightRule = {
  id: 'tester.open-files',
  title: 'Open files of the tester',
  checks: 'The hard limit of the session that starts the agent; the agent raises the soft limit itself.',
  why: 'Each viewer is a socket of the tester; at the limit viewers fail because of the tester.',
  good: 'its share of the viewers plus 256',
  source: 'Fullhouse: docs/agent-protocol.md',
  applies: ({ tester }) => tester === 'local' || tester === 'ssh',
  needs: [{ file: ownLimits }],
  judge: (facts, { node, viewers }) => {
    const limit = openFilesLimit(facts.file(ownLimits));
    if (!limit) return unread(`${ownLimits} of ${node} has no limit of open files.`);
    const needed = viewers + spareFiles;
    const read = `Open files limit of an agent on ${node}: ${limit.hard === Infinity ? 'unlimited' : formatCount(limit.hard)}`;
    return limit.hard >= needed
      ? pass(`${read}; ${formatCount(viewers)} viewers need ${formatCount(needed)}.`)
      : fail(
          `${read}; ${formatCount(viewers)} viewers need ${formatCount(needed)}.`,
          `printf '* - nofile ${Math.max(65_536, needed * 2)}\\n' | sudo tee /etc/security/limits.d/60-fullhouse.conf   # for new sessions`,
        );
  },
};

const ports: PreflightRule = {
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
    const read = `${node} has ${formatCount(room)} local ports`;
    const fix = sysctlFix([ephemeralName, '10240 65535']);
    if (room < viewers) return fail(`${read} for ${formatCount(viewers)} viewers.`, fix);
    return room < viewers * 1.2
      ? warn(`${read}, barely more than its ${formatCount(viewers)} viewers.`, fix)
      : pass(`${read} for ${formatCount(viewers)} viewers.`);
  },
};

/** Ports 34001 to 35000; each pull by WCS signalling takes one. */
const defaultPullPorts = 1000;

const wcsPulls: PreflightRule = {
  id: 'tester.wcs-pulls',
  title: 'Pulls of one WCS',
  checks:
    'The share of a pulling WCS against ports_wcs_agents_free, or against its default range (34001 to 35000) where that is not reported.',
  why: 'Every pull by WCS signalling takes a port of that range; when it is used up, further pulls fail.',
  good: 'one free port per pull; 1,000 in the default range',
  source: 'WCS manual: Server core (CDN and WebRTC agent ports); Load and resource usage information',
  applies: ({ tester, protocols }) =>
    tester === 'wcs' && (protocols.length === 0 || protocols.some((protocol) => protocol !== 'rtmp')),
  needs: [{ api: 'wcs ports' }],
  judge: (facts, { node, viewers, testers }) => {
    const free = facts.maybe((all) => wcsPorts(all, 'ports_wcs_agents_free'));
    const resting = facts.maybe((all) => wcsPorts(all, 'ports_wcs_agents_quarantine')) ?? 0;
    const assigned = `${node} is assigned ${formatCount(viewers)} pulls`;
    if (free === undefined) {
      const sentence = `${assigned}; it does not report its ports for them, and its default range has ${formatCount(defaultPullPorts)}.`;
      return viewers <= defaultPullPorts
        ? pass(sentence)
        : warn(sentence, spreadFix(viewers, testers, defaultPullPorts));
    }
    const sentence = `${assigned}; it has ${formatCount(free)} ports free for them${resting > 0 ? ` and ${formatCount(resting)} in quarantine` : ''}.`;
    if (viewers <= free) return pass(sentence);
    return viewers <= free + resting
      ? warn(sentence, 'Wait until the quarantined ports are free.')
      : warn(sentence, spreadFix(viewers, testers, free + resting));
  },
};

const spreadFix = (viewers: number, testers: number, each: number): string =>
  each > 0
    ? `Distribute the viewers over ${Math.ceil((viewers * testers) / each)} testers, or widen its range of WCS agent ports.`
    : 'Widen its range of WCS agent ports.';

const sharedMachine: PreflightRule = {
  id: 'tester.shared-host',
  title: 'Separate machine',
  checks: "Whether the tester runs on the origin's machine, by boot ids, else by addresses.",
  why: "Both share the processors, so the origin's CPU includes the tester's, and no traffic passes the network.",
  good: 'different machines',
  source: 'Fullhouse: docs/architecture.md (Figures of nodes that share a host)',
  applies: onTester,
  needs: [],
  judge: (_facts, { node, origin, sharedWith: others, unsure = [] }) => {
    if (origin && others.includes(origin.node))
      return warn(
        `${node} and ${origin.node} run on the same machine: its CPU, memory and links are shared, and no network is tested.`,
        'Pull from another machine: add it as a tester and name it in pull.by.',
      );
    const both = `${node} and ${origin?.node ?? 'the origin'}`;
    return origin && unsure.includes(origin.node)
      ? pass(`${both} have different addresses; their boot ids could not be read.`)
      : pass(`${both} run on different machines.`);
  },
};

export const testerRules: readonly PreflightRule[] = [capacity, openFiles, ports, wcsPulls, sharedMachine];
