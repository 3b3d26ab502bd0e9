import { fail, onWcs, pass, unread, warn, type PreflightRule } from '../../rule';
import { flag, heapBytes, optionsOf, wcsCore } from '../../text/jvm';
import { memInfo, memory, memoryCount } from '../../text/machine';
import { gib, whole } from '../../text/numbers';

const setting = '/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages';
const sysctlFile = '/etc/sysctl.d/90-hugepages.conf';

/** The same after a reboot. */
const persist = (pages: number): string => `echo vm.nr_hugepages=${pages} | sudo tee ${sysctlFile}`;

/** Pages of 2 MiB for a heap: an eighth more than the heap itself. */
const pagesFor = (heap: number): number => Math.ceil((1.125 * heap) / 2 ** 21);

export const hugePages: PreflightRule = {
  id: 'wcs.huge-pages',
  title: 'Huge pages',
  checks: "Reserved huge pages of 2 MiB against the heap's need.",
  why: 'With too few huge pages ZGC falls back to small ones, with more work for each access.',
  good: '1.125 × heap in GiB × 1024 / 2 pages, e.g. 9,216 for 16 GiB',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [wcsCore, { file: memInfo }],
  judge: (facts, { node }) => {
    const options = optionsOf(facts);
    if (flag(options, 'UseLargePages') !== true) return pass(`The JVM of ${node} uses no huge pages.`);
    const heap = heapBytes(options, 'Xmx');
    if (heap === undefined) return unread(`Without -Xmx the number of huge pages needed on ${node} is unknown.`);
    if (memory(facts, 'Hugepagesize') !== 2 ** 21)
      return warn(
        `Huge pages on ${node} are ${gib(memory(facts, 'Hugepagesize'))} each and not 2 MiB, which the formula requires.`,
      );
    const [wanted, total] = [pagesFor(heap), memoryCount(facts, 'HugePages_Total')];
    const read = `${whole(total)} huge pages are reserved on ${node}`;
    const needs = `a heap of ${gib(heap)} needs ${whole(wanted)} (${gib(wanted * 2 ** 21)})`;
    if (total >= wanted) return pass(`${read}; ${needs}.`);
    const fits = wanted * 2 ** 21 < memory(facts, 'MemTotal') * 0.9;
    return fits
      ? fail(`${read}; ${needs}.`, `echo ${wanted} | sudo tee ${setting}\n${persist(wanted)}`)
      : fail(`${read}; ${needs}, more than the machine has available: lower -Xmx first.`);
  },
};

/** Sources of a setting at boot, the later ones first: the command line is overridden by sysctl. */
const sysctlFiles = ['/etc/sysctl.conf', '/etc/sysctl.d/*.conf', '/usr/lib/sysctl.d/*.conf'];

export const hugePagesAtBoot: PreflightRule = {
  id: 'wcs.huge-pages-at-boot',
  title: 'Huge pages after a reboot',
  checks: 'Whether vm.nr_hugepages or the kernel command line reserves the huge pages at boot.',
  why: 'Pages that were reserved by hand are gone after a reboot, and the next test runs without them.',
  good: 'as many as are reserved now',
  source: 'Linux: hugetlbpage; sysctl.d(5)',
  isOfMachine: true,
  applies: onWcs,
  needs: [wcsCore, { file: memInfo }, { file: '/proc/cmdline' }, ...sysctlFiles.map((files) => ({ files }))],
  judge: (facts, { node }) => {
    const now = memoryCount(facts, 'HugePages_Total');
    if (flag(optionsOf(facts), 'UseLargePages') !== true || now === 0)
      return pass(`No huge pages are in use on ${node}, so none must survive a reboot.`);
    const settings = sysctlFiles.flatMap((files) => facts.maybe((all) => all.files(files)) ?? []);
    const counts = settings.flatMap(({ text }) =>
      [...text.matchAll(/^[ \t]*-?vm[./]nr_hugepages[ \t]*=[ \t]*(\d+)/gm)].map(([, pages]) => Number(pages)),
    );
    const ofKernel = /(?:^|\s)hugepages=(\d+)/.exec(facts.maybe((all) => all.file('/proc/cmdline')) ?? '')?.[1];
    const atBoot = Math.max(0, Number(ofKernel ?? 0), ...counts);
    return atBoot >= now
      ? pass(`${whole(atBoot)} huge pages are reserved at boot on ${node}.`)
      : warn(
          `${whole(now)} huge pages are reserved on ${node}, but ${atBoot === 0 ? 'none' : `only ${whole(atBoot)}`} after a reboot.`,
          persist(now),
        );
  },
};
