import { pass, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { sysctlFix, sysctlNumber, sysctlPath } from '../../text/sysctl';

const names = ['net.core.rmem_default', 'net.core.wmem_default'] as const;
const wanted = 16 * 1024 * 1024;

export const defaultBuffers: PreflightRule = {
  id: 'srs.default-buffers',
  title: 'Default UDP buffers',
  checks: `${names.join(' and ')}: buffers of a socket by default.`,
  why: "SRS serves all WebRTC viewers over one UDP socket with the system's default buffers.",
  good: '16 MB each',
  source: 'SRS: Performance (RTC)',
  applies: ({ server, protocols }) => server === 'srs' && protocols.includes('whep'),
  needs: names.map((name) => ({ file: sysctlPath(name) })),
  judge: (facts, { node }) => {
    const short = names.filter((name) => sysctlNumber(facts, name) < wanted);
    if (short.length === 0) return pass(`Default socket buffers on ${node} are ${whole(wanted)} bytes or more.`);
    return warn(
      `${short.map((name) => `${name} is ${whole(sysctlNumber(facts, name))}`).join(' and ')} on ${node}; recommended: ${whole(wanted)}.`,
      sysctlFix(...short.map((name) => [name, wanted] as const)),
    );
  },
};
