import { onWcs, pass, warn, type PreflightRule } from '../../rule';
import { flashphoner, shown, wcsFix, wcsSetting } from '../../text/properties';

const key = 'global_bandwidth_check_enabled';

export const bandwidthCheck: PreflightRule = {
  id: 'wcs.bandwidth-check',
  title: 'Bandwidth figures',
  checks: `${key}: whether WCS tells its bandwidth.`,
  why: "Without it the server's statistics have no network figures, and its own word on the bandwidth is missing from the run.",
  good: 'true',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [flashphoner],
  judge: (facts, { node }) => {
    const value = wcsSetting(facts, key);
    return value === 'true'
      ? pass(`${key} is true on ${node}.`)
      : warn(`${shown(key, value, 'false')} on ${node}; true is wanted.`, wcsFix(facts, `${key}=true`));
  },
};
