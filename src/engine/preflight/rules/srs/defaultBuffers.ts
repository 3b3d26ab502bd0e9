import { pass, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { sysctlFix, sysctlNumber, sysctlPath } from '../../text/sysctl';

const names = ['net.core.rmem_default', 'net.core.wmem_default'] as const;
const wanted = 16 * 1024 * 1024;

export const defaultBuffers: PreflightRule = {
  id: 'srs.default-buffers',
  title: 'Default UDP buffers',
  checks: `${names.join(' and ')}: what a socket gets that asks for nothing.`,
  why: 'SRS serves all WebRTC viewers over one UDP socket and leaves its buffer to the system.',
  good: '16 MB each',
  source: 'SRS: Performance (RTC)',
  applies: ({ server, protocols }) => server === 'srs' && protocols.includes('whep'),
  needs: names.map((name) => ({ file: sysctlPath(name) })),
  judge: (facts, { node }) => {
    const short = names.filter((name) => sysctlNumber(facts, name) < wanted);
    if (short.length === 0) return pass(`A socket on ${node} gets ${whole(wanted)} bytes or more by itself.`);
    return warn(
      `${short.map((name) => `${name} is ${whole(sysctlNumber(facts, name))}`).join(' and ')} on ${node}; ${whole(wanted)} is wanted.`,
      sysctlFix(...short.map((name) => [name, wanted] as const)),
    );
  },
};
