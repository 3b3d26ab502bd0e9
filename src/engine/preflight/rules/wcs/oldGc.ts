import { fail, onWcs, pass, type PreflightRule } from '../../rule';
import { optionsOf, jvmFix, wcsCore } from '../../text/jvm';

const old = /UseConcMarkSweepGC|CMSInitiatingOccupancy|UseCMSInitiatingOccupancyOnly|PrintGCDateStamps|PrintGCDetails/;

export const oldGc: PreflightRule = {
  id: 'wcs.old-gc',
  title: 'Options of the old collector',
  checks: "Options of CMS and the old GC log in WCS's default configuration.",
  why: 'They conflict with ZGC, and a JDK without them refuses to start.',
  good: 'none, or commented out',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [wcsCore],
  judge: (facts, { node }) => {
    const found = optionsOf(facts).filter((word) => old.test(word));
    return found.length === 0
      ? pass(`The JVM of ${node} has no options of the old collector.`)
      : fail(
          `The JVM options on ${node} contain ${found.join(' ')}.`,
          jvmFix(facts, ...found.map((word) => `#${word}`)),
        );
  },
};
