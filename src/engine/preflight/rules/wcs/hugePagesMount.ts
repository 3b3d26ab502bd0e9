import { fail, onWcs, pass, type PreflightRule } from '../../rule';
import { flag, option, optionsOf, wcsCore } from '../../text/jvm';

const mounts = '/proc/mounts';

export const hugePagesMount: PreflightRule = {
  id: 'wcs.huge-pages-mount',
  title: 'Huge pages mount',
  checks: 'Whether a hugetlbfs is mounted at the path of -XX:ZPath.',
  why: 'With a path without huge pages a JVM runs without them, or not at all.',
  good: 'hugetlbfs mounted there',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [wcsCore, { file: mounts }],
  judge: (facts, { node }) => {
    const options = optionsOf(facts);
    const path = option(options, 'ZPath');
    if (path === undefined || flag(options, 'UseLargePages') !== true)
      return pass(`The JVM of ${node} has no -XX:ZPath, so it needs no mount.`);
    const isMounted = facts
      .file(mounts)
      .split('\n')
      .map((line) => line.split(' '))
      .some(([, where, kind]) => where === path && kind === 'hugetlbfs');
    return isMounted
      ? pass(`A hugetlbfs is mounted at ${path} on ${node}.`)
      : fail(
          `-XX:ZPath is ${path} on ${node}, and no hugetlbfs is mounted there.`,
          `sudo mkdir -p ${path} && sudo mount -t hugetlbfs -o uid=0 nodev ${path}`,
        );
  },
};
