import { fail, pass, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';

/** Ports 34001 to 35000; each pull takes one. */
const limit = 1000;

export const wcsPulls: PreflightRule = {
  id: 'tester.wcs-pulls',
  title: 'Pulls of one WCS',
  checks: 'The share of a pulling WCS against its port range for pulls (34001 to 35000).',
  why: 'Every pull from another server takes a port of that range; when it is used up, further pulls fail.',
  good: 'max 1,000 pulls per WCS',
  source: 'WCS manual: Server core (CDN and WebRTC agent ports)',
  applies: ({ tester }) => tester === 'wcs',
  needs: [],
  judge: (_facts, { node, viewers, testers }) =>
    viewers <= limit
      ? pass(`${node} is assigned ${whole(viewers)} pulls; its default range has ${whole(limit)} ports.`)
      : fail(
          `${node} is assigned ${whole(viewers)} pulls; its default range has ${whole(limit)} ports.`,
          `Distribute the viewers over ${Math.ceil((viewers * testers) / limit)} testers.`,
        ),
};
