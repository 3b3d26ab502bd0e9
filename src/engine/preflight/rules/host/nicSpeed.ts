import { everywhere, fail, pass, unread, warn, type PreflightRule } from '../../rule';
import { nicSpeed as speedOf, nicSpeeds, routes } from '../../text/machine';
import { mbit } from '../../text/numbers';

export const nicSpeed: PreflightRule = {
  id: 'host.nic-speed',
  title: 'Network interface',
  checks: "Speed of the default route's interface against the bandwidth of the plan.",
  why: 'The link is often the bottleneck, not the server: a thousand viewers at 1 Mbit/s fill a gigabit.',
  good: 'the plan needs at most 60 % of it; above 90 % fails',
  source:
    'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?; StreamHub: Capacity planning & latency tuning',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ files: nicSpeeds }, { file: routes }],
  judge: (facts, { node, mbps, sharedWith, viewers }) => {
    // Traffic within the machine passes no interface.
    if (sharedWith.length > 0 && viewers > 0)
      return pass(`Traffic to ${sharedWith.join(' and ')} on the same machine uses no interface.`);
    const nic = speedOf(facts);
    if (!nic)
      return unread(`The interface of ${node} reports no speed, as on virtual machines; measure the link with iperf3.`);
    const read = `${nic.name} of ${node} has ${mbit(nic.mbps)}`;
    if (mbps === undefined) return unread(`${read}; the plan's bandwidth is unknown until its stream exists.`);
    const sentence = `${read}; this plan needs about ${mbit(mbps)}.`;
    const fix = `Use an interface of at least ${mbit(mbps / 0.6)}, or fewer viewers: ${Math.floor((viewers * nic.mbps * 0.6) / mbps)} need 60 % of it.`;
    if (mbps > nic.mbps * 0.9) return fail(sentence, fix);
    return mbps > nic.mbps * 0.6 ? warn(sentence, fix) : pass(sentence);
  },
};
