import { describe, expect, it } from 'vitest';
import type { TestFacts } from '../../../../tests/support/preflightFacts';
import { judge, resultOf } from '../../../../tests/support/preflightRule';

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
    expect(resultOf('kernel.udp-receive-buffer', { sysctls: { 'net.core.rmem_max': bytes } })).toBe(expected);
  });

  it('uses the server process with the lowest open-files limit', () => {
    expect(resultOf('kernel.server-files', processes('100000'))).toBe('pass');
    expect(resultOf('kernel.server-files', processes('unlimited'))).toBe('pass');
    expect(resultOf('kernel.server-files', processes('2000'))).toBe('warn');
    expect(judge('kernel.server-files', processes('1024'), { server: 'srs' })).toMatchObject({
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
    expect(resultOf('kernel.conntrack', { patterns: none })).toBe('pass');
    expect(resultOf('kernel.conntrack', table('262144', '500'))).toBe('pass');
    expect(resultOf('kernel.conntrack', table('3000', '500'))).toBe('warn');
    expect(resultOf('kernel.conntrack', table('2000', '500'))).toBe('fail');
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
    expect(judge('kernel.tx-queue', queues('1000'))).toMatchObject({
      result: 'warn',
      fix: 'sudo ip link set dev eth0 txqueuelen 2000',
    });
    expect(resultOf('kernel.tx-queue', queues('2000'))).toBe('pass');
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
    expect(judge('kernel.softirq', given('900000 1 1 1', '00')).fix).toContain('echo f | sudo tee');
    expect(resultOf('kernel.softirq', given('900000 1 1 1', '0f'))).toBe('pass');
    expect(resultOf('kernel.softirq', given('300000 200000 200000 200000', '00'))).toBe('pass');
    expect(resultOf('kernel.softirq', given('900 1 1 1', '00'))).toBe('pass');
    expect(resultOf('kernel.softirq', given('900000', '00', 1))).toBe('pass');
  });

  it('expects the performance governor, and passes without a governor', () => {
    const pattern = '/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor';
    expect(resultOf('kernel.cpu-governor', { patterns: { [pattern]: {} } })).toBe('pass');
    expect(resultOf('kernel.cpu-governor', { patterns: { [pattern]: { a: 'performance', b: 'powersave' } } })).toBe(
      'warn',
    );
  });

  it('reads drops by name, since columns differ between kernels', () => {
    const snmp = (drops: number): TestFacts => ({
      files: {
        '/proc/net/snmp': `Udp: InDatagrams NoPorts OutDatagrams RcvbufErrors SndbufErrors\nUdp: 10000 5 10000 ${drops} 0\nUdpLite: InDatagrams\nUdpLite: 9`,
      },
    });
    expect(resultOf('kernel.udp-drops', snmp(20))).toBe('pass');
    expect(resultOf('kernel.udp-drops', snmp(21))).toBe('warn');
  });
});
