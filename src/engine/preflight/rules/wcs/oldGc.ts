import { fail, onWcs, pass, type PreflightRule } from '../../rule';
import { optionsOf, jvmFix, wcsCore } from '../../text/jvm';

const old =
  /UseConcMarkSweepGC|CMSInitiatingOccupancy|UseCMSInitiatingOccupancyOnly|PrintGCDateStamps|PrintGCDetails/;

export const oldGc: PreflightRule = {
  id: 'wcs.old-gc',
  title: 'Options of the old collector',
  checks: 'Options of CMS and of the old GC log, which the product ships with.',
  why: 'They contradict ZGC, and a JDK that no longer knows them refuses to start.',
  good: 'none of them, or commented out',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [wcsCore],
  judge: (facts, { node }) => {
    const found = optionsOf(facts).filter((word) => old.test(word));
    return found.length === 0
      ? pass(`The JVM of ${node} has no options of the old collector.`)
      : fail(
          `${found.join(' ')} stand${found.length === 1 ? 's' : ''} among the JVM's options on ${node}.`,
          jvmFix(facts, ...found.map((word) => `#${word}`)),
        );
  },
};
