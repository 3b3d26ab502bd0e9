import { fail, on, pass, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { sysctlFix, sysctlNumber, sysctlPath } from '../../text/sysctl';
import { livekitYaml, mediaPorts } from './conf';

const name = 'net.core.rmem_max';
/** The server's own recommendation. */
const minBytes = 5_000_000;

export const sharedPortBuffer: PreflightRule = {
  id: 'livekit.shared-port-buffer',
  title: 'Buffer of the shared media port',
  checks: `${name} where all media shares one UDP port.`,
  why: 'All media of publishers and feedback of viewers arrive at one socket, so they share its buffer.',
  good: 'at least 5,000,000 bytes, below which livekit-server warns at its start; 16 MB is better',
  source: 'LiveKit: server log at start; StreamHub: Capacity planning & latency tuning (L1)',
  applies: on('livekit'),
  needs: [livekitYaml, { file: sysctlPath(name) }],
  judge: (facts, { node }) => {
    const { isShared } = mediaPorts(facts);
    if (!isShared) return pass(`Every viewer of ${node} has its own socket.`);
    const bytes = sysctlNumber(facts, name);
    const read = `The shared media port of ${node} has a buffer of ${whole(bytes)} bytes`;
    return bytes >= minBytes
      ? pass(`${read}.`)
      : fail(`${read}; min ${whole(minBytes)}, 16 MB is better.`, sysctlFix([name, 16 * 1024 * 1024]));
  },
};
