import { fail, on, pass, usesUdp, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { wcsPorts } from '../../text/wcsPorts';

export const mediaPortsFree: PreflightRule = {
  id: 'wcs.media-ports-free',
  title: 'Free media ports',
  checks: 'ports_media_free of the running server.',
  why: 'The running server may differ from its configuration: changes without a restart, other sessions and quarantined ports count here.',
  good: 'one free port per viewer and publisher, on a tester one per pull',
  source: 'WCS manual: Load and resource usage information; Media ports management',
  applies: (context) => on('wcs')(context) || (context.tester === 'wcs' && usesUdp(context)),
  needs: [{ api: 'wcs ports' }],
  judge: (facts, { node, viewers, publishers }) => {
    const free = wcsPorts(facts, 'ports_media_free');
    const resting = facts.maybe((all) => wcsPorts(all, 'ports_media_quarantine')) ?? 0;
    const needed = viewers + publishers;
    const read = `${whole(free)} media ports are free on ${node}${resting > 0 ? ` and ${whole(resting)} in quarantine` : ''}`;
    if (free >= needed) return pass(`${read}; this plan needs ${whole(needed)}.`);
    return free + resting >= needed
      ? warn(`${read}; this plan needs ${whole(needed)}; wait until the quarantined ports are free.`)
      : fail(`${read}; this plan needs ${whole(needed)}. See Media ports, and restart WCS after a change.`);
  },
};
