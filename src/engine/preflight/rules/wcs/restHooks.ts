import { onWcs, pass, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { flashphoner, wcsFix, wcsNumber, wcsSetting } from '../../text/properties';

const key = 'rest_max_connections';

export const restHooks: PreflightRule = {
  id: 'wcs.rest-hooks',
  title: 'REST hooks',
  checks: `${key}, unless disable_rest_requests is true.`,
  why: 'Each new viewer triggers a backend call; too many at once block the threads that serve viewers.',
  good: 'disable_rest_requests=true, or max 20 connections',
  source: 'WCS manual: Server tuning recommendations',
  applies: onWcs,
  needs: [flashphoner],
  judge: (facts, { node }) => {
    if (wcsSetting(facts, 'disable_rest_requests') === 'true') return pass(`REST hooks are off on ${node}.`);
    const value = wcsNumber(facts, key);
    return value !== undefined && value <= 20
      ? pass(`${key} is ${whole(value)} on ${node}.`)
      : warn(
          `${key} ${value === undefined ? 'is not set (default 200)' : `is ${whole(value)}`} on ${node}; recommended: 20 if REST hooks are used, else disable them.`,
          wcsFix(facts, `${key}=20`),
        );
  },
};
