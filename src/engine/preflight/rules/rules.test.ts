import { describe, expect, it } from 'vitest';
import type { Judged, CheckContext, PreflightRule } from '../rule';
import { testFacts, type TestFacts } from '../../../../tests/support/preflightFacts';
import { testRole } from '../../../../tests/support/preflightRole';
import { clock } from './host/clock';
import { freeDisk } from './host/freeDisk';
import { nicSpeed } from './host/nicSpeed';
import { conntrack } from './kernel/conntrack';
import { cpuGovernor } from './kernel/cpuGovernor';
import { serverFiles } from './kernel/serverFiles';
import { softirq } from './kernel/softirq';
import { txQueue } from './kernel/txQueue';
import { udpDrops } from './kernel/udpDrops';
import { udpReceiveBuffer } from './kernel/udpReceiveBuffer';
import { ports as livekitPorts } from './livekit/ports';
import { roomLimit } from './livekit/roomLimit';
import { sharedPortBuffer } from './livekit/sharedPortBuffer';
import { chunkSize } from './nginx/chunkSize';
import { workerConnections } from './nginx/workerConnections';
import { workerFiles } from './nginx/workerFiles';
import { workers } from './nginx/workers';
import { maxConnections } from './srs/maxConnections';
import { mergedRead } from './srs/mergedRead';
import { mergedWrite } from './srs/mergedWrite';
import { openFiles as srsOpenFiles } from './srs/openFiles';
import { openFiles } from './tester/openFiles';
import { ports } from './tester/ports';
import { capacity } from './tester/capacity';
import { sharedMachine } from './tester/sharedMachine';
import { wcsPulls } from './tester/wcsPulls';

const judge = (rule: PreflightRule, given: TestFacts, context: Partial<CheckContext> = {}): Judged =>
  rule.judge(testFacts(given).only(rule.needs), testRole(context));
const result = (...given: Parameters<typeof judge>): Judged['result'] => judge(...given).result;

const route = 'Iface\tDestination\tGateway\neth0\t00000000\t0100000A\nlo\t0000007F\t00000000';
const processes = (limit: string): TestFacts => ({
  processes: [
    {
      pid: 42,
      words: ['srs'],
      limits: `Max open files            ${limit}            200000               files`,
    },
  ],
});
const cpus = (count: number, flags = 'aes'): string =>
  Array.from({ length: count }, (_, index) => `processor\t: ${index}\nflags\t\t: ${flags}`).join('\n\n');

describe('kernel', () => {
  it.each([
    [16_777_216, 'pass'],
    [4_194_304, 'warn'],
    [212_992, 'fail'],
  ] as const)('judges a receive buffer of %i bytes', (bytes, expected) => {
    expect(result(udpReceiveBuffer, { sysctls: { 'net.core.rmem_max': bytes } })).toBe(expected);
  });

  it('uses the server process with the lowest open-files limit', () => {
    expect(result(serverFiles, processes('100000'))).toBe('pass');
    expect(result(serverFiles, processes('unlimited'))).toBe('pass');
    expect(result(serverFiles, processes('2000'))).toBe('warn');
    expect(judge(serverFiles, processes('1024'), { server: 'srs' })).toMatchObject({
      result: 'fail',
      fix: expect.stringContaining('sudo prlimit --pid 42 --nofile=100000:100000') as string,
    });
  });

  it('compares connection tracking with the viewers, and passes without it', () => {
    const table = (most: string, count: string): TestFacts => ({
      patterns: {
        '/proc/sys/net/netfilter/nf_conntrack_max': { a: most },
        '/proc/sys/net/netfilter/nf_conntrack_count': { a: count },
      },
    });
    const none = {
      '/proc/sys/net/netfilter/nf_conntrack_max': {},
      '/proc/sys/net/netfilter/nf_conntrack_count': {},
    };
    expect(result(conntrack, { patterns: none })).toBe('pass');
    expect(result(conntrack, table('262144', '500'))).toBe('pass');
    expect(result(conntrack, table('3000', '500'))).toBe('warn');
    expect(result(conntrack, table('2000', '500'))).toBe('fail');
  });

  it("checks the queue of the default route's interface", () => {
    const queues = (eth0: string): TestFacts => ({
      files: { '/proc/net/route': route },
      patterns: {
        '/sys/class/net/*/tx_queue_len': {
          '/sys/class/net/eth0/tx_queue_len': eth0,
          '/sys/class/net/eth1/tx_queue_len': '10',
        },
      },
    });
    expect(judge(txQueue, queues('1000'))).toMatchObject({
      result: 'warn',
      fix: 'sudo ip link set dev eth0 txqueuelen 2000',
    });
    expect(result(txQueue, queues('2000'))).toBe('pass');
  });

  it('detects one processor that handles all interrupts', () => {
    const given = (counts: string, mask: string, cores = 4): TestFacts => ({
      files: {
        '/proc/softirqs': ` CPU0 CPU1\n NET_TX: 1 1\n NET_RX: ${counts}`,
        '/proc/cpuinfo': cpus(cores),
        '/proc/net/route': route,
      },
      patterns: {
        '/sys/class/net/*/queues/rx-*/rps_cpus': { '/sys/class/net/eth0/queues/rx-0/rps_cpus': mask },
      },
    });
    expect(judge(softirq, given('900000 1 1 1', '00')).fix).toContain('echo f | sudo tee');
    expect(result(softirq, given('900000 1 1 1', '0f'))).toBe('pass');
    expect(result(softirq, given('300000 200000 200000 200000', '00'))).toBe('pass');
    expect(result(softirq, given('900 1 1 1', '00'))).toBe('pass');
    expect(result(softirq, given('900000', '00', 1))).toBe('pass');
  });

  it('expects the performance governor, and passes without a governor', () => {
    const pattern = '/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor';
    expect(result(cpuGovernor, { patterns: { [pattern]: {} } })).toBe('pass');
    expect(result(cpuGovernor, { patterns: { [pattern]: { a: 'performance', b: 'powersave' } } })).toBe('warn');
  });

  it('reads drops by name, since columns differ between kernels', () => {
    const snmp = (drops: number): TestFacts => ({
      files: {
        '/proc/net/snmp': `Udp: InDatagrams NoPorts OutDatagrams RcvbufErrors SndbufErrors\nUdp: 10000 5 10000 ${drops} 0\nUdpLite: InDatagrams\nUdpLite: 9`,
      },
    });
    expect(result(udpDrops, snmp(20))).toBe('pass');
    expect(result(udpDrops, snmp(21))).toBe('warn');
  });
});

describe('machine', () => {
  it('compares the interface with the bandwidth of the plan', () => {
    const speed = (text: string): TestFacts => ({
      files: { '/proc/net/route': route },
      patterns: {
        '/sys/class/net/*/speed': {
          '/sys/class/net/eth0/speed': text,
          '/sys/class/net/eth1/speed': '100000',
        },
      },
    });
    expect(result(nicSpeed, speed('1000'))).toBe('pass');
    expect(judge(nicSpeed, speed('1000'), { mbps: 700 })).toMatchObject({
      result: 'warn',
      fix: expect.stringContaining('857 need 60 % of it') as string,
    });
    expect(result(nicSpeed, speed('1000'), { mbps: 950 })).toBe('fail');
    expect(result(nicSpeed, speed('-1'))).toBe('unread');
    expect(result(nicSpeed, speed('1000'), { mbps: undefined })).toBe('unread');
    expect(result(nicSpeed, speed('10'), { sharedWith: ['audience'] })).toBe('pass');
  });

  it('judges the clock with any available source', () => {
    const synchronised = { timedatectl: 'Timezone=UTC\nNTPSynchronized=yes\n' };
    expect(result(clock, { programs: synchronised })).toBe('pass');
    expect(result(clock, { programs: { timedatectl: 'NTPSynchronized=no' } })).toBe('warn');
    expect(result(clock, { programs: { chronyc: 'System time     : 0.000012 seconds fast of NTP time' } })).toBe(
      'pass',
    );
    expect(result(clock, { programs: { chronyc: 'System time     : 1.5 seconds slow of NTP time' } })).toBe('warn');
    expect(result(clock, {})).toBe('unread');
    expect(judge(clock, { programs: synchronised }, { clock: { offsetMs: -2500, uncertaintyMs: 3 } })).toMatchObject({
      result: 'warn',
      sentence: expect.stringContaining('2,500 ms behind') as string,
    });
  });

  it('names the full disk, and no virtual file system', () => {
    const df = (free: number): TestFacts => ({
      programs: {
        df: `Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/sda1 41251136 1 ${free} 10% /\ntmpfs 12000000 1 0 100% /run\n/dev/loop0 65536000 65536000 0 100% /snap/x`,
      },
    });
    expect(result(freeDisk, df(30_000_000))).toBe('pass');
    expect(judge(freeDisk, df(1_000_000))).toMatchObject({
      result: 'warn',
      sentence: '1 GiB are free on / of origin.',
    });
    expect(result(freeDisk, df(100_000))).toBe('fail');
  });
});

describe('SRS', () => {
  const conf = (text: string): TestFacts => ({ configs: { 'srs.conf': text } });

  it('compares connections and open files', () => {
    expect(result(maxConnections, conf('listen 1935; max_connections 5000;'))).toBe('pass');
    expect(judge(maxConnections, conf('# max_connections 5000;\nlisten 1935;'))).toMatchObject({
      result: 'fail',
      fix: expect.stringContaining('max_connections 3000;') as string,
    });
    expect(result(srsOpenFiles, { ...conf('max_connections 5000;'), ...processes('1024') })).toBe('fail');
    expect(result(srsOpenFiles, { ...conf('max_connections 5000;'), ...processes('65536') })).toBe('pass');
  });

  it('of its environment have precedence over those of its file', () => {
    const environment = (variables: Record<string, string>, text = ''): TestFacts => ({
      ...conf(text),
      environment: variables,
    });
    const few = environment({ SRS_MAX_CONNECTIONS: '200' }, 'max_connections 9000;');
    expect(judge(maxConnections, few, { server: 'srs' })).toMatchObject({
      result: 'fail',
      sentence: expect.stringContaining('is 200 (SRS_MAX_CONNECTIONS of its environment)') as string,
      fix: expect.stringMatching(/^# in the environment of SRS.*\nSRS_MAX_CONNECTIONS=\d+$/) as string,
    });
    expect(result(maxConnections, environment({ SRS_MAX_CONNECTIONS: '9000' }, 'max_connections 200;'))).toBe('pass');
    expect(result(maxConnections, environment({ SRS_MAX_CONNECTIONS: '' }, 'max_connections 200;'))).toBe('fail');
    const slow = 'vhost v { tcp_nodelay on; play { mw_latency 100; } }';
    const set = { SRS_VHOST_TCP_NODELAY: 'off', SRS_VHOST_PLAY_MW_LATENCY: '400' };
    expect(result(mergedWrite, { ...conf(slow) })).toBe('warn');
    expect(result(mergedWrite, environment(set, slow))).toBe('pass');
  });

  it('detects settings for latency instead of many viewers', () => {
    expect(result(mergedWrite, conf('vhost __defaultVhost__ { play { mw_latency 350; } }'))).toBe('pass');
    expect(result(mergedWrite, conf('vhost x { tcp_nodelay on; min_latency on; play { mw_latency 100; } }'))).toBe(
      'warn',
    );
    expect(result(mergedRead, conf('vhost x { publish { mr on; } }'), { publishers: 80 })).toBe('pass');
    expect(result(mergedRead, conf(''), { publishers: 80 })).toBe('warn');
    expect(result(mergedRead, conf(''))).toBe('pass');
  });
});

describe('nginx', () => {
  const conf = (text: string): TestFacts => ({ configs: { 'nginx.conf': text } });

  it('checks the limits of a worker', () => {
    expect(result(workerConnections, conf('events { worker_connections 10240; }'))).toBe('pass');
    expect(result(workerConnections, conf('events { }'))).toBe('fail');
    expect(result(workerFiles, { ...conf('worker_rlimit_nofile 20480;'), ...processes('1024') })).toBe('pass');
    expect(result(workerFiles, { ...conf(''), ...processes('1024') })).toBe('fail');
    expect(result(workerFiles, conf(''))).toBe('warn');
  });

  it('finds the rtmp block, and reports where it is missing', () => {
    expect(result(chunkSize, conf('rtmp { server { listen 1935; chunk_size 4096; } }'))).toBe('pass');
    expect(result(chunkSize, conf('rtmp { server { chunk_size 128; } }'))).toBe('warn');
    expect(result(chunkSize, conf('include /etc/nginx/rtmp.conf;'))).toBe('unread');
    expect(result(workers, conf('worker_processes auto;'))).toBe('warn');
    expect(result(workers, conf('worker_processes 4; rtmp_auto_push on;'))).toBe('pass');
  });
});

describe('LiveKit', () => {
  const conf = (text: string, rmem = 212_992): TestFacts => ({
    configs: { 'livekit.yaml': text },
    sysctls: { 'net.core.rmem_max': rmem },
  });

  it('distinguishes shared ports from a range', () => {
    expect(result(livekitPorts, conf('rtc:\n  udp_port: 7882'))).toBe('pass');
    expect(result(livekitPorts, conf('rtc:\n  udp_port: "7882-7892"'))).toBe('pass');
    expect(result(livekitPorts, conf('rtc:\n  port_range_start: 50000\n  port_range_end: 50500'))).toBe('fail');
    expect(result(sharedPortBuffer, conf('rtc: { udp_port: 7882 }'))).toBe('fail');
    expect(result(sharedPortBuffer, conf('rtc: { udp_port: 7882 }', 5_000_000))).toBe('pass');
    expect(result(sharedPortBuffer, conf('port: 7880'))).toBe('pass');
  });

  it('detects a limit that the plan would reach', () => {
    expect(result(roomLimit, conf('keys: { a: b }'))).toBe('pass');
    expect(result(roomLimit, conf('room: { max_participants: 500 }'))).toBe('fail');
    expect(result(roomLimit, conf('limit: { num_tracks: 100 }'))).toBe('fail');
  });

  it('reports invalid YAML as unread', () => {
    expect(() => judge(livekitPorts, conf('rtc: ['))).toThrow(/is not valid YAML/);
  });
});

describe('tester', () => {
  const tester = { node: 'audience', role: 'tester', server: undefined, tester: 'local' } as const;
  const machine = (cores: number): TestFacts => ({
    files: { '/proc/cpuinfo': cpus(cores), '/proc/net/route': route },
    patterns: { '/sys/class/net/*/speed': {} },
    memoryGib: 8,
  });
  const origin = { node: 'origin', capacity: { cores: 8, memoryBytes: 2 ** 33 } };

  it('expects twice the cores for a pulling WCS', () => {
    expect(result(capacity, machine(8), { ...tester, tester: 'wcs', origin })).toBe('warn');
    expect(result(capacity, machine(16), { ...tester, tester: 'wcs', origin })).toBe('pass');
    expect(result(capacity, machine(8), { ...tester, tester: 'wcs', origin, testers: 2 })).toBe('pass');
    expect(result(capacity, machine(16), { ...tester, tester: 'wcs', origin: { node: 'origin' } })).toBe('unread');
  });

  it('computes the cost of viewers on an agent', () => {
    expect(judge(capacity, machine(2), { ...tester, origin, mbps: 170 })).toMatchObject({
      result: 'pass',
      sentence: expect.stringContaining('about 18 % of one core') as string,
    });
    expect(judge(capacity, machine(2), { ...tester, origin, viewers: 10_000, mbps: 1700 })).toMatchObject({
      result: 'warn',
      fix: 'Distribute the viewers over 2 such testers.',
    });
  });

  it('checks files, ports and pulls', () => {
    const limits = (hard: number): TestFacts => ({
      files: {
        '/proc/self/limits': `Max open files            1024                 ${hard}               files`,
      },
    });
    expect(result(openFiles, limits(20_000), tester)).toBe('pass');
    expect(result(openFiles, limits(1024), tester)).toBe('fail');
    const range = (text: string): TestFacts => ({ sysctls: { 'net.ipv4.ip_local_port_range': text } });
    expect(result(ports, range('32768\t60999'), tester)).toBe('pass');
    expect(result(ports, range('60000\t60999'), tester)).toBe('warn');
    expect(result(ports, range('60900\t60999'), tester)).toBe('fail');
    expect(wcsPulls.applies(testRole({ tester: 'wcs', protocols: ['wcs'] }))).toBe(true);
    expect(result(wcsPulls, {}, { tester: 'wcs' })).toBe('pass');
    expect(result(wcsPulls, {}, { tester: 'wcs', viewers: 1001 })).toBe('warn');
    const wcsPorts = (free: number, quarantine: number): TestFacts => ({
      apis: {
        'wcs ports': JSON.stringify({
          port_stats: { ports_wcs_agents_free: free, ports_wcs_agents_quarantine: String(quarantine) },
        }),
      },
    });
    expect(result(wcsPulls, wcsPorts(1500, 0), { tester: 'wcs', viewers: 1400 })).toBe('pass');
    expect(judge(wcsPulls, wcsPorts(200, 800), { tester: 'wcs', viewers: 900 })).toMatchObject({
      result: 'warn',
      fix: 'Wait until the quarantined ports are free.',
    });
    expect(judge(wcsPulls, wcsPorts(500, 0), { tester: 'wcs', viewers: 900, testers: 1 }).fix).toContain('2 testers');
    expect(wcsPulls.applies(testRole({ tester: 'wcs', protocols: ['rtmp'] }))).toBe(false);
  });

  it('reports a machine shared with the origin', () => {
    expect(result(sharedMachine, {}, { ...tester, origin, sharedWith: ['origin'] })).toBe('warn');
    expect(result(sharedMachine, {}, { ...tester, origin, sharedWith: ['tester-2'] })).toBe('pass');
  });
});
