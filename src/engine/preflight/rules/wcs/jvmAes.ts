import { fail, onWcs, pass, warn, type PreflightRule } from '../../rule';
import { flag, jvmFix, optionsOf, wcsCore } from '../../text/jvm';

const intrinsics = '-XX:+UseAESIntrinsics';
const unlock = '-XX:+UnlockDiagnosticVMOptions';

export const jvmAes: PreflightRule = {
  id: 'wcs.jvm-aes',
  title: 'AES in the JVM',
  checks: 'UseAES and UseAESIntrinsics among the options of the JVM, in an order that it accepts.',
  why: 'With them the JVM encrypts in hardware, which is most of what a WebRTC server computes.',
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
      return fail(`The JVM of ${node} is told not to use AES instructions.`, fix);
    const [place, before] = [options.indexOf(intrinsics), options.indexOf(unlock)];
    if (place >= 0 && (before < 0 || before > place))
      return fail(
        `${intrinsics} stands on ${node} without ${unlock} before it, so the JVM refuses to start.`,
        fix,
      );
    return aes && fast
      ? pass(`The JVM of ${node} is told to use AES instructions.`)
      : warn(
          `The options of the JVM of ${node} do not name UseAES and UseAESIntrinsics; not every JDK uses them by itself.`,
          fix,
        );
  },
};
