import { pass, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { wcsPorts } from '../../text/wcsPorts';

/** Ports 34001 to 35000; each pull by WCS signalling takes one. */
const defaultPorts = 1000;

export const wcsPulls: PreflightRule = {
  id: 'tester.wcs-pulls',
  title: 'Pulls of one WCS',
  checks:
    'The share of a pulling WCS against ports_wcs_agents_free, or against its default range (34001 to 35000) where that is not reported.',
  why: 'Every pull by WCS signalling takes a port of that range; when it is used up, further pulls fail.',
  good: 'one free port per pull; 1,000 in the default range',
  source: 'WCS manual: Server core (CDN and WebRTC agent ports); Load and resource usage information',
  applies: ({ tester, protocols }) =>
    tester === 'wcs' && (protocols.length === 0 || protocols.some((protocol) => protocol !== 'rtmp')),
  needs: [{ api: 'wcs ports' }],
  judge: (facts, { node, viewers, testers }) => {
    const free = facts.maybe((all) => wcsPorts(all, 'ports_wcs_agents_free'));
    const resting = facts.maybe((all) => wcsPorts(all, 'ports_wcs_agents_quarantine')) ?? 0;
    const assigned = `${node} is assigned ${whole(viewers)} pulls`;
    if (free === undefined) {
      const sentence = `${assigned}; it does not report its ports for them, and its default range has ${whole(defaultPorts)}.`;
      return viewers <= defaultPorts ? pass(sentence) : warn(sentence, spread(viewers, testers, defaultPorts));
    }
    const sentence = `${assigned}; it has ${whole(free)} ports free for them${resting > 0 ? ` and ${whole(resting)} in quarantine` : ''}.`;
    if (viewers <= free) return pass(sentence);
    return viewers <= free + resting
      ? warn(sentence, 'Wait until the quarantined ports are free.')
      : warn(sentence, spread(viewers, testers, free + resting));
  },
};

const spread = (viewers: number, testers: number, each: number): string =>
  each > 0
    ? `Distribute the viewers over ${Math.ceil((viewers * testers) / each)} testers, or widen its range of WCS agent ports.`
    : 'Widen its range of WCS agent ports.';
