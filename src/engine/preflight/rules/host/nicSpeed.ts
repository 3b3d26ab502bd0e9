import { everywhere, fail, pass, unread, warn, type PreflightRule } from '../../rule';
import { nicSpeed as speedOf, nicSpeeds, routes } from '../../text/machine';
import { mbit } from '../../text/numbers';

export const nicSpeed: PreflightRule = {
  id: 'host.nic-speed',
  title: 'Network interface',
  checks: 'Speed of the interface that leads out against the bandwidth of the plan.',
  why: 'Often not the server but its link is what gives out: a thousand viewers at 1 Mbit/s fill a gigabit.',
  good: 'the plan needs at most 60 % of it; above 90 % fails',
  source:
    'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?; StreamHub: Capacity planning & latency tuning',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ files: nicSpeeds }, { file: routes }],
  judge: (facts, { node, mbps, together, viewers }) => {
    // What stays on the machine passes no interface.
    if (together.length > 0 && viewers > 0)
      return pass(
        `${node} shares its machine with ${together.join(' and ')}; what passes between them needs no interface.`,
      );
    const nic = speedOf(facts);
    if (!nic)
      return unread(
        `The interface of ${node} does not tell its speed, as those of virtual machines don't; measure the link with iperf3.`,
      );
    const read = `${nic.name} of ${node} has ${mbit(nic.mbps)}`;
    if (mbps === undefined) return unread(`${read}; what the plan needs is known once its stream is there.`);
    const sentence = `${read}; this plan needs about ${mbit(mbps)}.`;
    const fix = `Use an interface of at least ${mbit(mbps / 0.6)}, or fewer viewers: ${Math.floor((viewers * nic.mbps * 0.6) / mbps)} need 60 % of it.`;
    if (mbps > nic.mbps * 0.9) return fail(sentence, fix);
    return mbps > nic.mbps * 0.6 ? warn(sentence, fix) : pass(sentence);
  },
};
