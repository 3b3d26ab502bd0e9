import { fail, pass, warn, usesUdp, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { sysctlFix, sysctlNumber, sysctlPath } from '../../text/sysctl';

const name = 'net.core.rmem_max';
const goodBytes = 16 * 1024 * 1024;
/** Below a quarter of it, a burst of key frames of some hundred viewers does not fit. */
const poorBytes = 4 * 1024 * 1024;

export const udpReceiveBuffer: PreflightRule = {
  id: 'kernel.udp-receive-buffer',
  title: 'UDP receive buffer',
  checks: `The most that a socket may buffer of what arrives (${name}).`,
  why: 'Datagrams that find the buffer full are dropped in silence, which viewers see as loss and freezes.',
  good: 'at least 16 MB; below 4 MB fails',
  source: 'SRS: Performance; StreamHub: Capacity planning & latency tuning (L1)',
  isOfMachine: true,
  applies: usesUdp,
  needs: [{ file: sysctlPath(name) }],
  judge: (facts, { node }) => {
    const bytes = sysctlNumber(facts, name);
    const read = `${name} on ${node} is ${whole(bytes)} bytes`;
    if (bytes >= goodBytes) return pass(`${read}, which is enough.`);
    const sentence = `${read}; streaming wants ${whole(goodBytes)}.`;
    return (bytes < poorBytes ? fail : warn)(sentence, sysctlFix([name, goodBytes]));
  },
};
