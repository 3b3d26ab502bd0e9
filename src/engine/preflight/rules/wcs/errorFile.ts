import { onWcs, pass, warn, type PreflightRule } from '../../rule';
import { jvmFix, option, optionsOf, wcsCore } from '../../text/jvm';

export const errorFile: PreflightRule = {
  id: 'wcs.error-file',
  title: 'JVM error file',
  checks: '-XX:ErrorFile with a full path.',
  why: "A JVM that crashes under load writes the cause into its working folder, where it is not found or can't be written.",
  good: '-XX:ErrorFile=…/logs/error%p.log',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [wcsCore],
  judge: (facts, { node }) => {
    const path = option(optionsOf(facts), 'ErrorFile');
    const fix = jvmFix(facts, '-XX:ErrorFile=/usr/local/FlashphonerWebCallServer/logs/error%p.log');
    if (path === undefined) return warn(`The JVM of ${node} has no -XX:ErrorFile.`, fix);
    if (!path.startsWith('/'))
      return warn(`-XX:ErrorFile of ${node} is ${path}, which is relative to the JVM's working folder.`, fix);
    return path.includes('%p')
      ? pass(`The JVM of ${node} writes the cause of a crash to ${path}.`)
      : warn(`-XX:ErrorFile of ${node} is ${path}: without %p the next crash overwrites it.`, fix);
  },
};
