import { fail, onWcs, pass, warn, type PreflightRule } from '../../rule';
import { jdkNeeds, jdkVersion } from '../../text/jvm';

export const jdk: PreflightRule = {
  id: 'wcs.jdk',
  title: 'JDK',
  checks: 'The version of the JDK that WCS runs on.',
  why: 'ZGC exists since 11, and the vendor has tested WCS with 12 and 14.',
  good: '12 or 14; below 11 fails',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [...jdkNeeds],
  judge: (facts, { node }) => {
    const { text, major } = jdkVersion(facts);
    const read = `The JDK of ${node} is ${text}`;
    if (major < 11)
      return fail(
        `${read}, which has no ZGC; recommended: 14.`,
        "Install JDK 14, set JAVA_HOME in WCS's start script, then restart WCS.",
      );
    return major === 12 || major === 14
      ? pass(`${read}, which the vendor has tested.`)
      : warn(`${read}; the vendor has tested 12 and 14. Options differ between versions, see ZGC.`);
  },
};
