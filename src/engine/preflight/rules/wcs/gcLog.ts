import { onWcs, pass, warn, type PreflightRule } from '../../rule';
import { jvmFix, optionsOf, wcsCore } from '../../text/jvm';

export const gcLog: PreflightRule = {
  id: 'wcs.gc-log',
  title: 'GC log',
  checks: '-Xlog:gc* into a file.',
  why: "GC pauses are read from it; without it a freeze can't be attributed to a collection.",
  good: '-Xlog:gc*:…/logs/gc-core.log',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [wcsCore],
  judge: (facts, { node }) => {
    const found = optionsOf(facts).find((word) => /^-Xlog:gc[^:]*:(?!stdout|stderr)|^-Xloggc:/.test(word));
    return found
      ? pass(`The JVM of ${node} writes a GC log: ${found}.`)
      : warn(
          `The JVM of ${node} writes no GC log to a file.`,
          jvmFix(facts, '-Xlog:gc*:/usr/local/FlashphonerWebCallServer/logs/gc-core.log'),
        );
  },
};
