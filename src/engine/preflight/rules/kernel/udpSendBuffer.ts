import { usesUdp, type PreflightRule } from '../../rule';
import { sysctlPath } from '../../text/sysctl';
import { judgeBuffer } from './udpBuffer';

const name = 'net.core.wmem_max';

export const udpSendBuffer: PreflightRule = {
  id: 'kernel.udp-send-buffer',
  title: 'UDP send buffer',
  checks: `Max send buffer of a socket (${name}).`,
  why: 'A server that sends one frame to a thousand viewers at once needs the buffer, or datagrams are lost before they are sent.',
  good: 'at least 16 MB; below 4 MB fails on an origin',
  source: 'SRS: Performance; StreamHub: Capacity planning & latency tuning (L1)',
  isOfMachine: true,
  applies: usesUdp,
  needs: [{ file: sysctlPath(name) }],
  judge: (facts, { node, role }) => judgeBuffer(facts, name, node, role === 'origin'),
};
