import { onWcs, pass, warn, type PreflightRule } from '../../rule';
import { flashphoner, shown, wcsFix, wcsSetting } from '../../text/properties';

const key = 'global_bandwidth_check_enabled';

export const bandwidthCheck: PreflightRule = {
  id: 'wcs.bandwidth-check',
  title: 'Bandwidth figures',
  checks: `${key}: whether WCS reports its bandwidth.`,
  why: "Without it the server's statistics have no network figures, and the run lacks its own bandwidth figures.",
  good: 'true',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [flashphoner],
  judge: (facts, { node }) => {
    const value = wcsSetting(facts, key);
    return value === 'true'
      ? pass(`${key} is true on ${node}.`)
      : warn(`${shown(key, value, 'false')} on ${node}; recommended: true.`, wcsFix(facts, `${key}=true`));
  },
};
