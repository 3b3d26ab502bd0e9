import { fail, onWcs, pass, warn, type PreflightRule } from '../../rule';
import { flag, jdkNeeds, jdkVersion, jvmFix, option, optionsOf, wcsCore } from '../../text/jvm';

export const zgc: PreflightRule = {
  id: 'wcs.zgc',
  title: 'ZGC',
  checks: 'UseZGC with the options that this JDK version requires: the experimental unlock, ZPath, large pages.',
  why: 'Other collectors stop the entire server for tens to hundreds of milliseconds, which every viewer sees as a freeze.',
  good: '-XX:+UseZGC -XX:+UseLargePages; with JDK 11 to 14 also -XX:+UnlockExperimentalVMOptions and -XX:ZPath, with 15 and later neither',
  source:
    'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?; OpenJDK 17, whose JVM does not support ZPath',
  applies: onWcs,
  needs: [wcsCore, ...jdkNeeds],
  judge: (facts, { node }) => {
    const options = optionsOf(facts);
    const jdk = facts.maybe(jdkVersion);
    const isOld = jdk === undefined || jdk.major < 15;
    const lines = isOld
      ? ['-XX:+UnlockExperimentalVMOptions -XX:+UseZGC -XX:+UseLargePages -XX:ZPath=/hugepages']
      : ['-XX:+UseZGC -XX:+UseLargePages'];
    const fix = jvmFix(facts, ...lines);
    if (flag(options, 'UseZGC') !== true) return fail(`The JVM of ${node} is not configured to use ZGC.`, fix);
    if (jdk && jdk.major < 11) return fail(`The JDK of ${node} is ${jdk.text}, which has no ZGC.`, fix);
    if (!isOld && option(options, 'ZPath') !== undefined)
      return fail(`-XX:ZPath is set on ${node}; JDK ${jdk.text} does not support it and refuses to start.`, fix);
    if (jdk && isOld && flag(options, 'UnlockExperimentalVMOptions') !== true)
      return fail(
        `-XX:+UseZGC is set on ${node} without -XX:+UnlockExperimentalVMOptions, which JDK ${jdk.text} requires.`,
        fix,
      );
    if (flag(options, 'UseLargePages') !== true) return warn(`The JVM of ${node} uses ZGC without large pages.`, fix);
    return pass(`The JVM of ${node} uses ZGC with large pages.`);
  },
};
