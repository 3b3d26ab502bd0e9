import { onOrigin, pass, unread, warn, type PreflightRule } from '../../rule';
import { defaultInterfaces, interfaceOf, routes } from '../../text/machine';
import { whole } from '../../text/numbers';
import { numberIn } from '../../text/sysctl';

const queues = '/sys/class/net/*/tx_queue_len';
const wanted = 2000;

export const txQueue: PreflightRule = {
  id: 'kernel.tx-queue',
  title: 'Queue of the network interface',
  checks: "txqueuelen of the default route's interface.",
  why: 'A frame for a thousand viewers is several thousand packets at once; packets beyond the queue are dropped.',
  good: 'at least 2000',
  source: 'WCS manual: Server tuning recommendations',
  isOfMachine: true,
  applies: onOrigin,
  needs: [{ files: queues }, { file: routes }],
  judge: (facts, { node }) => {
    const out = facts.maybe(defaultInterfaces) ?? [];
    const all = facts
      .files(queues)
      .map(({ path, text }) => ({ name: interfaceOf(path), length: numberIn(text, path) }))
      .filter(({ name }) => (out.length > 0 ? out.includes(name) : !/^(lo|ifb|dummy|docker|br-)/.test(name)));
    if (all.length === 0) return unread(`${node} has no default route.`);
    const short = all.filter(({ length }) => length < wanted);
    const read = all.map(({ name, length }) => `${name} queues ${whole(length)} packets`).join(', ');
    return short.length === 0
      ? pass(`On ${node} ${read}.`)
      : warn(
          `On ${node} ${read}; recommended: ${whole(wanted)}.`,
          short.map(({ name }) => `sudo ip link set dev ${name} txqueuelen ${wanted}`).join('\n'),
        );
  },
};
