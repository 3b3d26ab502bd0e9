import { fail, pass, warn, usesUdp, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { sysctlFix, sysctlNumber, sysctlPath } from '../../text/sysctl';

const name = 'net.core.wmem_max';
const goodBytes = 16 * 1024 * 1024;
const poorBytes = 4 * 1024 * 1024;

export const udpSendBuffer: PreflightRule = {
  id: 'kernel.udp-send-buffer',
  title: 'UDP send buffer',
  checks: `The most that a socket may buffer of what is sent (${name}).`,
  why: 'A server that sends one frame to a thousand viewers at once needs room for it, or datagrams are lost before they leave.',
  good: 'at least 16 MB; below 4 MB fails on an origin',
  source: 'SRS: Performance; StreamHub: Capacity planning & latency tuning (L1)',
  isOfMachine: true,
  applies: usesUdp,
  needs: [{ file: sysctlPath(name) }],
  judge: (facts, { node, role }) => {
    const bytes = sysctlNumber(facts, name);
    const read = `${name} on ${node} is ${whole(bytes)} bytes`;
    if (bytes >= goodBytes) return pass(`${read}, which is enough.`);
    const sentence = `${read}; streaming wants ${whole(goodBytes)}.`;
    return (bytes < poorBytes && role === 'origin' ? fail : warn)(sentence, sysctlFix([name, goodBytes]));
  },
};
