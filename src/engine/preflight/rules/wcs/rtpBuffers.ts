import { onWcsByUdp, pass, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { flashphoner, wcsFix, wcsNumber } from '../../text/properties';

const keys = ['rtp_receive_buffer_size', 'rtp_send_buffer_size'] as const;
const wanted = 131_072;

export const rtpBuffers: PreflightRule = {
  id: 'wcs.rtp-buffers',
  title: 'RTP buffers',
  checks: `${keys.join(' and ')}: buffers of each session's socket.`,
  why: 'Frames of a high bitrate arrive in bursts that overflow small buffers.',
  good: '131072 bytes each',
  source: 'WCS manual: Server tuning recommendations',
  applies: onWcsByUdp,
  needs: [flashphoner],
  judge: (facts, { node }) => {
    const short = keys.filter((key) => (wcsNumber(facts, key) ?? 0) < wanted);
    if (short.length === 0) return pass(`Both RTP buffers on ${node} are at least ${whole(wanted)} bytes.`);
    const read = short.map((key) => {
      const value = wcsNumber(facts, key);
      return `${key} is ${value === undefined ? 'not set' : whole(value)}`;
    });
    return warn(
      `${read.join(' and ')} on ${node}; recommended: ${whole(wanted)}.`,
      wcsFix(facts, ...short.map((key) => `${key}=${wanted}`)),
    );
  },
};
