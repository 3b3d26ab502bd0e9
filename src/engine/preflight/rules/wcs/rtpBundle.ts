import { onWcsByUdp, pass, warn, type PreflightRule } from '../../rule';
import { flashphoner, wcsFix, wcsSetting } from '../../text/properties';

export const rtpBundle: PreflightRule = {
  id: 'wcs.rtp-bundle',
  title: 'One port per session',
  checks: 'rtp_bundle: whether audio and video share a port.',
  why: 'Without it each viewer takes two media ports, which halves the capacity.',
  good: 'true, or not set',
  source: 'WCS manual: Media ports management',
  applies: onWcsByUdp,
  needs: [flashphoner],
  judge: (facts, { node }) =>
    wcsSetting(facts, 'rtp_bundle') === 'false'
      ? warn(`rtp_bundle is false on ${node}: each session takes two ports.`, wcsFix(facts, 'rtp_bundle=true'))
      : pass(`Audio and video share a port on ${node}.`),
};
