import { onWcs, pass, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { flashphoner, wcsFix, wcsNumber, wcsSetting } from '../../text/properties';

const key = 'rest_max_connections';

export const restHooks: PreflightRule = {
  id: 'wcs.rest-hooks',
  title: 'REST hooks',
  checks: `${key}, unless disable_rest_requests is true.`,
  why: 'Each arriving viewer calls the backend; too many calls at once block the threads that should serve viewers.',
  good: 'disable_rest_requests=true, or at most 20 connections',
  source: 'WCS manual: Server tuning recommendations',
  applies: onWcs,
  needs: [flashphoner],
  judge: (facts, { node }) => {
    if (wcsSetting(facts, 'disable_rest_requests') === 'true') return pass(`REST hooks are off on ${node}.`);
    const value = wcsNumber(facts, key);
    return value !== undefined && value <= 20
      ? pass(`${key} is ${whole(value)} on ${node}.`)
      : warn(
          `${key} ${value === undefined ? 'is not set, so 200 holds' : `is ${whole(value)}`} on ${node}; 20 is wanted where REST hooks are used, and none where they are not.`,
          wcsFix(facts, `${key}=20`),
        );
  },
};
