import { describe, expect, it } from 'vitest';
import type { TestFacts } from '../../../../tests/support/preflightFacts';
import { judge, resultOf } from '../../../../tests/support/preflightRule';

const route = 'Iface\tDestination\tGateway\neth0\t00000000\t0100000A\nlo\t0000007F\t00000000';

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
    expect(resultOf('host.nic-speed', speed('1000'))).toBe('pass');
    expect(judge('host.nic-speed', speed('1000'), { mbps: 700 })).toMatchObject({
      result: 'warn',
      fix: expect.stringContaining('857 need 60 % of it') as string,
    });
    expect(resultOf('host.nic-speed', speed('1000'), { mbps: 950 })).toBe('fail');
    expect(resultOf('host.nic-speed', speed('-1'))).toBe('unread');
    expect(resultOf('host.nic-speed', speed('1000'), { mbps: undefined })).toBe('unread');
    expect(resultOf('host.nic-speed', speed('10'), { sharedWith: ['audience'] })).toBe('pass');
  });

  it('judges the clock with any available source', () => {
    const synchronised = { timedatectl: 'Timezone=UTC\nNTPSynchronized=yes\n' };
    expect(resultOf('host.clock', { programs: synchronised })).toBe('pass');
    expect(resultOf('host.clock', { programs: { timedatectl: 'NTPSynchronized=no' } })).toBe('warn');
    expect(
      resultOf('host.clock', { programs: { chronyc: 'System time     : 0.000012 seconds fast of NTP time' } }),
    ).toBe('pass');
    expect(resultOf('host.clock', { programs: { chronyc: 'System time     : 1.5 seconds slow of NTP time' } })).toBe(
      'warn',
    );
    expect(resultOf('host.clock', {})).toBe('unread');
    expect(
      judge('host.clock', { programs: synchronised }, { clock: { offsetMs: -2500, uncertaintyMs: 3 } }),
    ).toMatchObject({
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
    expect(resultOf('host.disk', df(30_000_000))).toBe('pass');
    expect(judge('host.disk', df(1_000_000))).toMatchObject({
      result: 'warn',
      sentence: '1 GiB are free on / of origin.',
    });
    expect(resultOf('host.disk', df(100_000))).toBe('fail');
  });
});
