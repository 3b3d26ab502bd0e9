import { fail, onWcs, pass, warn, type PreflightRule } from '../../rule';
import { flag, jvmFix, optionsOf, wcsCore } from '../../text/jvm';

const intrinsics = '-XX:+UseAESIntrinsics';
const unlock = '-XX:+UnlockDiagnosticVMOptions';

export const jvmAes: PreflightRule = {
  id: 'wcs.jvm-aes',
  title: 'AES in the JVM',
  checks: "UseAES and UseAESIntrinsics among the JVM's options, in a valid order.",
  why: "With them the JVM encrypts in hardware; encryption is most of a WebRTC server's computing.",
  good: '-XX:+UnlockDiagnosticVMOptions before -XX:+UseAES -XX:+UseAESIntrinsics',
  source:
    'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?; OpenJDK: java -XX:+PrintFlagsFinal',
  applies: onWcs,
  needs: [wcsCore],
  judge: (facts, { node }) => {
    const options = optionsOf(facts);
    const [aes, fast] = [flag(options, 'UseAES'), flag(options, 'UseAESIntrinsics')];
    const fix = jvmFix(facts, '-server', unlock, '-XX:+UseAES', intrinsics);
    if (aes === false || fast === false)
      return fail(`The JVM of ${node} is configured not to use AES instructions.`, fix);
    const [place, before] = [options.indexOf(intrinsics), options.indexOf(unlock)];
    if (place >= 0 && (before < 0 || before > place))
      return fail(`${intrinsics} is set on ${node} without ${unlock} before it, so the JVM refuses to start.`, fix);
    return aes && fast
      ? pass(`The JVM of ${node} is configured to use AES instructions.`)
      : warn(
          `The JVM options on ${node} lack UseAES and UseAESIntrinsics; not every JDK enables them by default.`,
          fix,
        );
  },
};
