import { fail, onWcs, pass, unread, warn, type PreflightRule } from '../../rule';
import { hours } from '../../text/numbers';
import { flashphoner, wcsFix, wcsNumber } from '../../text/properties';

const key = 'wcs_activity_timer_timeout';
const dayMs = 86_400_000;

export const activityTimer: PreflightRule = {
  id: 'wcs.activity-timer',
  title: 'Activity timer',
  checks: `${key}: whether sessions live as long as the test.`,
  why: 'WCS ends sessions that it considers idle, which would disconnect the audience during the run.',
  good: 'at least as long as the plan; the vendor uses 86400000 (24 h) for load tests',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [flashphoner],
  judge: (facts, { node, lengthMs }) => {
    const value = wcsNumber(facts, key);
    const fix = wcsFix(facts, `${key}=${dayMs}`);
    if (value === undefined)
      return warn(`${key} is not set on ${node}; the server's default may end a long test.`, fix);
    if (value < 0) return unread(`${key} on ${node} is ${value}, which is not a duration.`);
    const read = `${key} on ${node} is ${hours(value)}`;
    if (lengthMs !== undefined && value < lengthMs) return fail(`${read}; this plan takes ${hours(lengthMs)}.`, fix);
    return lengthMs === undefined && value < dayMs
      ? warn(`${read}, and this plan has no planned end.`, fix)
      : pass(`${read}, longer than this plan.`);
  },
};
