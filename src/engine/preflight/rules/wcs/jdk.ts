import { fail, onWcs, pass, warn, type PreflightRule } from '../../rule';
import { jdkNeeds, jdkVersion } from '../../text/jvm';

export const jdk: PreflightRule = {
  id: 'wcs.jdk',
  title: 'JDK',
  checks: 'The version of the JDK that WCS runs on.',
  why: 'ZGC came with 11, and the makers have tested their server with 12 and 14.',
  good: '12 or 14; below 11 fails',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [...jdkNeeds],
  judge: (facts, { node }) => {
    const { text, major } = jdkVersion(facts);
    const read = `The JDK of ${node} is ${text}`;
    if (major < 11)
      return fail(
        `${read}, which has no ZGC; 14 is wanted.`,
        'Install JDK 14 and let WCS use it: JAVA_HOME in its start script, then restart WCS.',
      );
    return major === 12 || major === 14
      ? pass(`${read}, one of those that the makers have tested.`)
      : warn(`${read}; the makers have tested 12 and 14. Options differ between versions, see ZGC.`);
  },
};
