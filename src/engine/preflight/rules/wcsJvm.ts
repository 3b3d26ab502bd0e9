import { fail, onWcs, pass, type PreflightRule, unread, warn } from '../rule';
import { flag, heapBytes, jdkNeeds, jdkVersion, jvmFix, option, optionsOf, wcsCore } from '../text/jvm';
import { memInfo, memory, memoryCount } from '../text/machine';
import { formatCount } from '../../../domain/text/numberFormat';
import { gib } from '../text/numbers';

const aesIntrinsics = '-XX:+UseAESIntrinsics';
const unlockDiagnostics = '-XX:+UnlockDiagnosticVMOptions';

const jvmAes: PreflightRule = {
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
    const fix = jvmFix(facts, '-server', unlockDiagnostics, '-XX:+UseAES', aesIntrinsics);
    if (aes === false || fast === false)
      return fail(`The JVM of ${node} is configured not to use AES instructions.`, fix);
    const [place, before] = [options.indexOf(aesIntrinsics), options.indexOf(unlockDiagnostics)];
    if (place >= 0 && (before < 0 || before > place))
      return fail(
        `${aesIntrinsics} is set on ${node} without ${unlockDiagnostics} before it, so the JVM refuses to start.`,
        fix,
      );
    return aes && fast
      ? pass(`The JVM of ${node} is configured to use AES instructions.`)
      : warn(
          `The JVM options on ${node} lack UseAES and UseAESIntrinsics; not every JDK enables them by default.`,
          fix,
        );
  },
};

const jdk: PreflightRule = {
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

const zgc: PreflightRule = {
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

const oldOptions =
  /UseConcMarkSweepGC|CMSInitiatingOccupancy|UseCMSInitiatingOccupancyOnly|PrintGCDateStamps|PrintGCDetails/;

const oldGc: PreflightRule = {
  id: 'wcs.old-gc',
  title: 'Options of the old collector',
  checks: "Options of CMS and the old GC log in WCS's default configuration.",
  why: 'They conflict with ZGC, and a JDK without them refuses to start.',
  good: 'none, or commented out',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [wcsCore],
  judge: (facts, { node }) => {
    const options = optionsOf(facts).filter((word) => oldOptions.test(word));
    return options.length === 0
      ? pass(`The JVM of ${node} has no options of the old collector.`)
      : fail(
          `The JVM options on ${node} contain ${options.join(' ')}.`,
          jvmFix(facts, ...options.map((word) => `#${word}`)),
        );
  },
};

const gcLog: PreflightRule = {
  id: 'wcs.gc-log',
  title: 'GC log',
  checks: '-Xlog:gc* into a file.',
  why: "GC pauses are read from it; without it a freeze can't be attributed to a collection.",
  good: '-Xlog:gc*:…/logs/gc-core.log',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?',
  applies: onWcs,
  needs: [wcsCore],
  judge: (facts, { node }) => {
    const option = optionsOf(facts).find((word) => /^-Xlog:gc[^:]*:(?!stdout|stderr)|^-Xloggc:/.test(word));
    return option
      ? pass(`The JVM of ${node} writes a GC log: ${option}.`)
      : warn(
          `The JVM of ${node} writes no GC log to a file.`,
          jvmFix(facts, '-Xlog:gc*:/usr/local/FlashphonerWebCallServer/logs/gc-core.log'),
        );
  },
};

const errorFile: PreflightRule = {
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

const heap: PreflightRule = {
  id: 'wcs.heap',
  title: 'Heap',
  checks: '-Xmx and -Xms against the memory of the machine.',
  why: 'A small heap is collected all the time under load; a heap that grows during the test causes pauses.',
  good: '-Xmx equal to -Xms, between half and three quarters of the memory',
  source:
    'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?; WCS manual: Memory management in Java',
  applies: onWcs,
  needs: [wcsCore, { file: memInfo }],
  judge: (facts, { node }) => {
    const options = optionsOf(facts);
    const total = memory(facts, 'MemTotal');
    const [most, first] = [heapBytes(options, 'Xmx'), heapBytes(options, 'Xms')];
    const recommended = Math.max(1, Math.ceil(total / 2 ** 31));
    const fix = jvmFix(facts, `-Xmx${recommended}g`, `-Xms${recommended}g`);
    if (most === undefined) return fail(`No -Xmx is set on ${node}; recommended: half of its ${gib(total)}.`, fix);
    const read = `-Xmx is ${gib(most)} of ${gib(total)} on ${node}`;
    // Memory reserved by the kernel must not make half of 16 GiB too little.
    if (most < (total / 2) * 0.97) return fail(`${read}; recommended: at least half.`, fix);
    if (most > total * 0.75)
      return warn(`${read}; more than three quarters leaves too little for the system and huge pages.`, fix);
    return first === most
      ? pass(`${read}, and -Xms is the same.`)
      : warn(`${read}, and -Xms is ${first === undefined ? 'not set' : gib(first)}; both should be the same.`, fix);
  },
};

const hugePagesSetting = '/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages';
const sysctlFile = '/etc/sysctl.d/90-hugepages.conf';

/** The command that keeps the number of huge pages after a reboot. */
const persistPages = (pages: number): string => `echo vm.nr_hugepages=${pages} | sudo tee ${sysctlFile}`;

/** Pages of 2 MiB for a heap: an eighth more than the heap itself. */
const pagesFor = (heap: number): number => Math.ceil((1.125 * heap) / 2 ** 21);

const hugePages: PreflightRule = {
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
    const read = `${formatCount(total)} huge pages are reserved on ${node}`;
    const needs = `a heap of ${gib(heap)} needs ${formatCount(wanted)} (${gib(wanted * 2 ** 21)})`;
    if (total >= wanted) return pass(`${read}; ${needs}.`);
    const fits = wanted * 2 ** 21 < memory(facts, 'MemTotal') * 0.9;
    return fits
      ? fail(`${read}; ${needs}.`, `echo ${wanted} | sudo tee ${hugePagesSetting}\n${persistPages(wanted)}`)
      : fail(`${read}; ${needs}, more than the machine has available: lower -Xmx first.`);
  },
};

/** Sources of a setting at boot, the later ones first: the command line is overridden by sysctl. */
const sysctlFiles = ['/etc/sysctl.conf', '/etc/sysctl.d/*.conf', '/usr/lib/sysctl.d/*.conf'];

const hugePagesAtBoot: PreflightRule = {
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
      ? pass(`${formatCount(atBoot)} huge pages are reserved at boot on ${node}.`)
      : warn(
          `${formatCount(now)} huge pages are reserved on ${node}, but ${atBoot === 0 ? 'none' : `only ${formatCount(atBoot)}`} after a reboot.`,
          persistPages(now),
        );
  },
};

const mounts = '/proc/mounts';

const hugePagesMount: PreflightRule = {
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

export const wcsJvmRules: readonly PreflightRule[] = [
  jvmAes,
  jdk,
  zgc,
  oldGc,
  gcLog,
  errorFile,
  heap,
  hugePages,
  hugePagesAtBoot,
  hugePagesMount,
];
