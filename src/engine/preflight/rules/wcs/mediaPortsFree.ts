import { UnreadableError } from '../../reading/facts';
import { fail, on, pass, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';

/** A number of WCS's statistics, which older versions write as a string. Throws an `UnreadableError` for anything else. */
function portCount(text: string, name: string): number {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new UnreadableError('The statistics of WCS are not JSON.');
  }
  const group = (answer as { readonly port_stats?: Readonly<Record<string, unknown>> } | null)?.port_stats;
  const value = group?.[name];
  const number = typeof value === 'number' || (typeof value === 'string' && value !== '') ? Number(value) : Number.NaN;
  if (!Number.isFinite(number)) throw new UnreadableError(`The statistics of WCS have no ${name}.`);
  return number;
}

export const mediaPortsFree: PreflightRule = {
  id: 'wcs.media-ports-free',
  title: 'Free media ports',
  checks: 'ports_media_free of the running server.',
  why: 'The running server may differ from its configuration: changes without a restart, other sessions and quarantined ports count here.',
  good: 'one free port per viewer and publisher',
  source: 'WCS manual: Load and resource usage information; Media ports management',
  applies: on('wcs'),
  needs: [{ api: 'wcs ports' }],
  judge: (facts, { node, viewers, publishers }) => {
    const free = portCount(facts.api('wcs ports'), 'ports_media_free');
    const resting = facts.maybe((all) => portCount(all.api('wcs ports'), 'ports_media_quarantine')) ?? 0;
    const needed = viewers + publishers;
    const read = `${whole(free)} media ports are free on ${node}${resting > 0 ? ` and ${whole(resting)} in quarantine` : ''}`;
    if (free >= needed) return pass(`${read}; this plan needs ${whole(needed)}.`);
    return free + resting >= needed
      ? warn(`${read}; this plan needs ${whole(needed)}; wait until the quarantined ports are free.`)
      : fail(`${read}; this plan needs ${whole(needed)}. See Media ports, and restart WCS after a change.`);
  },
};
