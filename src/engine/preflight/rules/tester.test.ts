import { describe, expect, it } from 'vitest';
import { testRole } from '../../../../tests/support/preflightRole';
import type { TestFacts } from '../../../../tests/support/preflightFacts';
import { applies, judge, resultOf } from '../../../../tests/support/preflightRule';

const route = 'Iface\tDestination\tGateway\neth0\t00000000\t0100000A\nlo\t0000007F\t00000000';
const cpus = (count: number, flags = 'aes'): string =>
  Array.from({ length: count }, (_, index) => `processor\t: ${index}\nflags\t\t: ${flags}`).join('\n\n');

describe('tester', () => {
  const tester = { node: 'audience', role: 'tester', server: undefined, tester: 'local' } as const;
  const machine = (cores: number): TestFacts => ({
    files: { '/proc/cpuinfo': cpus(cores), '/proc/net/route': route },
    patterns: { '/sys/class/net/*/speed': {} },
    memoryGib: 8,
  });
  const origin = { node: 'origin', capacity: { cores: 8, memoryBytes: 2 ** 33 } };

  it('expects twice the cores for a pulling WCS', () => {
    expect(resultOf('tester.capacity', machine(8), { ...tester, tester: 'wcs', origin })).toBe('warn');
    expect(resultOf('tester.capacity', machine(16), { ...tester, tester: 'wcs', origin })).toBe('pass');
    expect(resultOf('tester.capacity', machine(8), { ...tester, tester: 'wcs', origin, testers: 2 })).toBe('pass');
    expect(resultOf('tester.capacity', machine(16), { ...tester, tester: 'wcs', origin: { node: 'origin' } })).toBe(
      'unread',
    );
  });

  it('computes the cost of viewers on an agent', () => {
    expect(judge('tester.capacity', machine(2), { ...tester, origin, mbps: 170 })).toMatchObject({
      result: 'pass',
      sentence: expect.stringContaining('about 18 % of one core') as string,
    });
    expect(judge('tester.capacity', machine(2), { ...tester, origin, viewers: 10_000, mbps: 1700 })).toMatchObject({
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
    expect(resultOf('tester.open-files', limits(20_000), tester)).toBe('pass');
    expect(resultOf('tester.open-files', limits(1024), tester)).toBe('fail');
    const range = (text: string): TestFacts => ({ sysctls: { 'net.ipv4.ip_local_port_range': text } });
    expect(resultOf('tester.ports', range('32768\t60999'), tester)).toBe('pass');
    expect(resultOf('tester.ports', range('60000\t60999'), tester)).toBe('warn');
    expect(resultOf('tester.ports', range('60900\t60999'), tester)).toBe('fail');
    expect(applies('tester.wcs-pulls', testRole({ tester: 'wcs', protocols: ['wcs'] }))).toBe(true);
    expect(resultOf('tester.wcs-pulls', {}, { tester: 'wcs' })).toBe('pass');
    expect(resultOf('tester.wcs-pulls', {}, { tester: 'wcs', viewers: 1001 })).toBe('warn');
    const wcsPorts = (free: number, quarantine: number): TestFacts => ({
      apis: {
        'wcs ports': JSON.stringify({
          port_stats: { ports_wcs_agents_free: free, ports_wcs_agents_quarantine: String(quarantine) },
        }),
      },
    });
    expect(resultOf('tester.wcs-pulls', wcsPorts(1500, 0), { tester: 'wcs', viewers: 1400 })).toBe('pass');
    expect(judge('tester.wcs-pulls', wcsPorts(200, 800), { tester: 'wcs', viewers: 900 })).toMatchObject({
      result: 'warn',
      fix: 'Wait until the quarantined ports are free.',
    });
    expect(judge('tester.wcs-pulls', wcsPorts(500, 0), { tester: 'wcs', viewers: 900, testers: 1 }).fix).toContain(
      '2 testers',
    );
    expect(applies('tester.wcs-pulls', testRole({ tester: 'wcs', protocols: ['rtmp'] }))).toBe(false);
  });

  it('reports a machine shared with the origin', () => {
    expect(resultOf('tester.shared-host', {}, { ...tester, origin, sharedWith: ['origin'] })).toBe('warn');
    expect(resultOf('tester.shared-host', {}, { ...tester, origin, sharedWith: ['tester-2'] })).toBe('pass');
  });
});
