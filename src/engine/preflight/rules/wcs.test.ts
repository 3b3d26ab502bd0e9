import { describe, expect, it } from 'vitest';
import type { TestFacts } from '../../../../tests/support/preflightFacts';
import { judge } from '../../../../tests/support/preflightRule';

const settings = (text: string): TestFacts => ({ configs: { 'flashphoner.properties': text } });
const options = (text: string, more: TestFacts = {}): TestFacts => ({
  ...more,
  configs: { 'wcs-core.properties': text },
});
const java = (version: string): TestFacts => ({
  programs: { java: `openjdk version "${version}" 2020-04-14` },
});

describe('media ports', () => {
  it.each([
    ['', 499, 'fail'],
    ['media_port_from=20001\nmedia_port_to=40000', 9999, 'pass'],
    ['media_port_from = 20001\nmedia_port_to = 40000\nrtp_bundle = false', 4999, 'pass'],
    ['media_port_from=20001\nmedia_port_to=22000\nrtp_bundle=false', 499, 'fail'],
    ['media_port_from=20001\nmedia_port_to=22000\ncompact_media_port_usage=true', 1999, 'pass'],
    ['media_port_from=40000\nmedia_port_to=20001', 0, 'fail'],
    ['#media_port_from=20001\n#media_port_to=40000', 499, 'fail'],
  ] as const)('of %j are enough for %i sessions', (text, sessions, result) => {
    const judged = judge('wcs.media-ports', settings(text));
    expect(judged.result).toBe(result);
    expect(judged.sentence).toContain(`enough for ${sessions.toLocaleString('en')} sessions`);
  });

  it('are proposed without overlap with other WCS ports, if these are enough', () => {
    expect(judge('wcs.media-ports', settings('')).fix).toBe(
      '# /conf/flashphoner.properties, then restart WCS\nmedia_port_from=20001\nmedia_port_to=29999',
    );
    expect(judge('wcs.media-ports', settings(''), { viewers: 5000 }).fix).toContain('media_port_to=40000');
    expect(judge('wcs.media-ports-own', settings('media_port_from=20001\nmedia_port_to=29999')).result).toBe('pass');
    expect(judge('wcs.media-ports-own', settings('media_port_from=20001\nmedia_port_to=40000'))).toMatchObject({
      result: 'warn',
      sentence: expect.stringContaining('SIP (30000-31000), the RTSP client (32000-32999)') as string,
    });
  });

  it('must not be ephemeral ports, unless they are reserved', () => {
    const given = (range: string, reserved: string): TestFacts => ({
      ...settings('media_port_from=20001\nmedia_port_to=40000'),
      sysctls: { 'net.ipv4.ip_local_port_range': range, 'net.ipv4.ip_local_reserved_ports': reserved },
    });
    const judged = judge('wcs.media-ports-ephemeral', given('32768\t60999', '8080'));
    expect(judged.result).toBe('fail');
    expect(judged.sentence).toContain('assign 32768-39999 to other connections');
    // Existing reservations are kept.
    expect(judged.fix).toContain('net.ipv4.ip_local_reserved_ports="8080,20001-39999"');
    expect(judge('wcs.media-ports-ephemeral', given('32768\t60999', '20001-40000')).result).toBe('pass');
    expect(judge('wcs.media-ports-ephemeral', given('40001\t60999', '')).result).toBe('pass');
  });
});

it('counts the free ports of the running server, also in the format of older versions', () => {
  const judgeText = (text: string) => judge('wcs.media-ports-free', { apis: { 'wcs ports': text } });
  expect(judgeText('{"port_stats":{"ports_media_free":9999}}').result).toBe('pass');
  expect(judgeText('{"port_stats":{"ports_media_free":"499","ports_media_quarantine":"0"}}').result).toBe('fail');
  expect(judgeText('{"port_stats":{"ports_media_free":900,"ports_media_quarantine":200}}').result).toBe('warn');
  expect(() => judgeText('-----Port Stats-----')).toThrow('not JSON');
  expect(() => judgeText('{}')).toThrow('have no ports_media_free');
});

it('requires sessions to last as long as the plan', () => {
  expect(judge('wcs.activity-timer', settings('wcs_activity_timer_timeout=86400000')).result).toBe('pass');
  expect(judge('wcs.activity-timer', settings('wcs_activity_timer_timeout=300000'))).toMatchObject({
    result: 'fail',
    sentence: 'wcs_activity_timer_timeout on origin is 5 min; this plan takes 10 min.',
  });
  expect(judge('wcs.activity-timer', settings('')).result).toBe('warn');
  expect(
    judge('wcs.activity-timer', settings('wcs_activity_timer_timeout=300000'), { lengthMs: undefined }).result,
  ).toBe('warn');
});

it('recommends sub-groups for many viewers of one stream', () => {
  expect(judge('wcs.subgroups', settings('')).result).toBe('fail');
  expect(judge('wcs.subgroups', settings(''), { viewersOfOneStream: 99 }).result).toBe('pass');
  expect(judge('wcs.subgroups', settings('streaming_distributor_subgroup_enabled=true')).result).toBe('pass');
});

it('recommends JCE where the processor has AES instructions', () => {
  const cpu = (flags: string): TestFacts => ({
    ...settings(''),
    files: { '/proc/cpuinfo': `processor : 0\nflags : ${flags}` },
  });
  expect(judge('wcs.aes-provider', cpu('fpu aes avx')).result).toBe('fail');
  expect(judge('wcs.aes-provider', cpu('fpu avx'))).toMatchObject({ result: 'warn' });
  expect(judge('wcs.aes-provider', settings('webrtc_aes_crypto_provider=JCE')).result).toBe('pass');
});

it.each([
  ['-XX:+UnlockDiagnosticVMOptions -XX:+UseAES -XX:+UseAESIntrinsics', 'pass', ''],
  ['-XX:+UseAES\n-XX:+UseAESIntrinsics\n-XX:+UnlockDiagnosticVMOptions', 'fail', 'refuses to start'],
  ['-XX:+UnlockDiagnosticVMOptions\n-XX:+UseAES\n-XX:+UseAESIntrinsics\n-XX:-UseAES', 'fail', 'not to use'],
  ['#-XX:+UseAES\n-server', 'warn', 'lack UseAES'],
] as const)('checks AES in the JVM: %j', (text, result, words) => {
  const judged = judge('wcs.jvm-aes', options(text));
  expect(judged.result).toBe(result);
  expect(judged.sentence).toContain(words);
});

it.each([
  ['14.0.1', '-XX:+UnlockExperimentalVMOptions -XX:+UseZGC -XX:+UseLargePages -XX:ZPath=/hugepages', 'pass', ''],
  ['14.0.1', '-XX:+UseZGC -XX:+UseLargePages', 'fail', 'without -XX:+UnlockExperimentalVMOptions'],
  [
    '17.0.15',
    '-XX:+UnlockExperimentalVMOptions -XX:+UseZGC -XX:+UseLargePages -XX:ZPath=/hugepages',
    'fail',
    'refuses to start',
  ],
  ['17.0.15', '-XX:+UseZGC -XX:+UseLargePages', 'pass', ''],
  ['17.0.15', '-XX:+UseZGC', 'warn', 'without large pages'],
  ['1.8.0_292', '-XX:+UseZGC', 'fail', 'has no ZGC'],
  ['14.0.1', '-XX:+UseG1GC', 'fail', 'not configured to use ZGC'],
] as const)('checks ZGC with JDK %s: %j', (version, text, result, words) => {
  const judged = judge('wcs.zgc', options(text, java(version)));
  expect(judged.result).toBe(result);
  expect(judged.sentence).toContain(words);
});

it('prefers the version of the running JVM over that in the PATH', () => {
  const given = { configs: { 'jdk release': 'JAVA_VERSION="12.0.2"' }, ...java('17.0.15') };
  expect(judge('wcs.jdk', given)).toMatchObject({
    result: 'pass',
    sentence: expect.stringContaining('12.0.2') as string,
  });
  expect(judge('wcs.jdk', java('1.8.0_292')).result).toBe('fail');
  expect(judge('wcs.jdk', java('17.0.15')).result).toBe('warn');
});

it('names every option of the old collector, and how to remove it', () => {
  const judged = judge(
    'wcs.old-gc',
    options('-XX:+UseConcMarkSweepGC\n#-XX:+PrintGCDetails\n-XX:CMSInitiatingOccupancyFraction=70'),
  );
  expect(judged.result).toBe('fail');
  expect(judged.fix?.split('\n').slice(1)).toEqual([
    '#-XX:+UseConcMarkSweepGC',
    '#-XX:CMSInitiatingOccupancyFraction=70',
  ]);
});

it.each([
  ['-Xmx16g -Xms16g', 'pass'],
  ['-Xmx15900m -Xms15900m', 'pass'],
  ['-Xmx8g -Xms8g', 'fail'],
  ['-Xmx8g\n-Xmx16g\n-Xms16g', 'pass'],
  ['-Xmx16g -Xms1g', 'warn'],
  ['-Xmx30g -Xms30g', 'warn'],
  ['', 'fail'],
] as const)('requires half of 32 GiB for the heap: %j', (text, result) => {
  expect(judge('wcs.heap', options(text, { memoryGib: 32 })).result).toBe(result);
});

it('computes huge pages as the heap plus an eighth', () => {
  const given = (pages: number, text = '-Xmx16g -XX:+UseLargePages', memoryGib = 32): TestFacts =>
    options(text, { memoryGib, hugePages: pages });
  expect(judge('wcs.huge-pages', given(9216)).result).toBe('pass');
  expect(judge('wcs.huge-pages', given(9215))).toEqual({
    result: 'fail',
    sentence: '9,215 huge pages are reserved on origin; a heap of 16 GiB needs 9,216 (18 GiB).',
    fix: 'echo 9216 | sudo tee /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages\necho vm.nr_hugepages=9216 | sudo tee /etc/sysctl.d/90-hugepages.conf',
  });
  expect(judge('wcs.huge-pages', given(0, '-Xmx16g -XX:+UseLargePages', 17)).fix).toBeUndefined();
  expect(judge('wcs.huge-pages', given(0, '-Xmx16g')).result).toBe('pass');
});

it('requires huge pages to survive a reboot', () => {
  const given = (sysctl: string, kernel = 'quiet', pages = 9216): TestFacts => ({
    ...options('-XX:+UseLargePages', { memoryGib: 32, hugePages: pages }),
    files: { '/proc/cmdline': `BOOT_IMAGE=/vmlinuz ${kernel}` },
    patterns: { '/etc/sysctl.d/*.conf': { '/etc/sysctl.d/90-hugepages.conf': sysctl } },
  });
  expect(judge('wcs.huge-pages-at-boot', given('vm.nr_hugepages = 9216')).result).toBe('pass');
  expect(judge('wcs.huge-pages-at-boot', given('', 'hugepages=9216 quiet')).result).toBe('pass');
  expect(judge('wcs.huge-pages-at-boot', given('', 'quiet', 0)).result).toBe('pass');
  expect(judge('wcs.huge-pages-at-boot', given('# vm.nr_hugepages = 9216'))).toEqual({
    result: 'warn',
    sentence: '9,216 huge pages are reserved on origin, but none after a reboot.',
    fix: 'echo vm.nr_hugepages=9216 | sudo tee /etc/sysctl.d/90-hugepages.conf',
  });
  expect(judge('wcs.huge-pages-at-boot', given('vm/nr_hugepages=1024')).sentence).toContain('only 1,024');
});

it.each([
  ['', 'warn', 'has no -XX:ErrorFile'],
  ['-XX:ErrorFile=error%p.log', 'warn', 'working folder'],
  ['-XX:ErrorFile=/logs/error.log', 'warn', 'without %p'],
  ['-XX:ErrorFile=/logs/error%p.log', 'pass', ''],
] as const)('requires a place for the cause of a crash: %j', (text, result, words) => {
  const judged = judge('wcs.error-file', options(text));
  expect(judged.result).toBe(result);
  expect(judged.sentence).toContain(words);
});

it('checks the mount at ZPath', () => {
  const given = (mounts: string): TestFacts =>
    options('-XX:+UseLargePages -XX:ZPath=/hugepages', { files: { '/proc/mounts': mounts } });
  expect(judge('wcs.huge-pages-mount', given('nodev /hugepages hugetlbfs rw 0 0')).result).toBe('pass');
  expect(judge('wcs.huge-pages-mount', given('nodev /hugepages tmpfs rw 0 0')).fix).toContain('mount -t hugetlbfs');
});
