import { fail, pass, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';

/** Ports 34001 to 35000, of which each pull takes one. */
const most = 1000;

export const wcsPulls: PreflightRule = {
  id: 'tester.wcs-pulls',
  title: 'Pulls of one WCS',
  checks: "The share of a WCS that pulls against the server's range of ports for pulls (34001 to 35000).",
  why: 'Every pull of another server takes a port of that range; when it is used up, further pulls fail.',
  good: 'at most 1,000 pulls for one WCS',
  source: 'WCS manual: Server core (CDN and WebRTC agent ports)',
  applies: ({ tester }) => tester === 'wcs',
  needs: [],
  judge: (_facts, { node, viewers, testers }) =>
    viewers <= most
      ? pass(`${node} is to pull ${whole(viewers)} times; its usual range has ${whole(most)} ports.`)
      : fail(
          `${node} is to pull ${whole(viewers)} times; its usual range has ${whole(most)} ports.`,
          `Split the viewers over ${Math.ceil((viewers * testers) / most)} testers.`,
        ),
};
