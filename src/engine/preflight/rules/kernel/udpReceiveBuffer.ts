import { usesUdp, type PreflightRule } from '../../rule';
import { sysctlPath } from '../../text/sysctl';
import { judgeBuffer } from './udpBuffer';

const name = 'net.core.rmem_max';

export const udpReceiveBuffer: PreflightRule = {
  id: 'kernel.udp-receive-buffer',
  title: 'UDP receive buffer',
  checks: `Max receive buffer of a socket (${name}).`,
  why: 'When the buffer is full datagrams are dropped without an error, which viewers see as loss and freezes.',
  good: 'at least 16 MB; below 4 MB fails',
  source: 'SRS: Performance; StreamHub: Capacity planning & latency tuning (L1)',
  isOfMachine: true,
  applies: usesUdp,
  needs: [{ file: sysctlPath(name) }],
  judge: (facts, { node }) => judgeBuffer(facts, name, node, true),
};
