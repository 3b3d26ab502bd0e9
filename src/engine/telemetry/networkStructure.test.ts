import { describe, expect, it } from 'vitest';
import { wiresOf } from '../../domain/node/wires';
import { outputNow } from '../base/program';
import { diskScript, parseDiskFree, parseStructure, readStructure } from './networkStructure';

const route = (name: string, destination: string, gateway: string, flags: string, mask: string): string =>
  `${name}\t${destination}\t${gateway}\t${flags}\t0\t0\t100\t${mask}\t0\t0\t0`;
const six = (destination: string, length: string, flags: string, name: string): string =>
  `${destination} ${length} ${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00000400 00000001 00000000 ${flags}     ${name}`;
const sys = (name: string, file: string, value: string): string => `/sys/class/net/${name}/${file}:${value}`;
const link = (name: string, file: string, target: string): string =>
  `lrwxrwxrwx 1 root root 0 Nov 26 22:00 /sys/class/net/${name}/${file} -> ${target}`;

it('reads how interfaces depend on each other, and the routes', () => {
  const structure = parseStructure([
    'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
    link('eth0', 'device', '../../../5'),
    link('eth0', 'master', '../../devices/virtual/net/br0'),
    link('br0', 'lower_eth0', '../../../5/net/eth0'),
    link('br0', 'lower_veth1', '../veth1'),
    link('veth1', 'master', '../br0'),
    sys('br0', 'uevent', 'DEVTYPE=bridge'),
    sys('br0', 'uevent', 'INTERFACE=br0'),
    sys('br0', 'type', '1'),
    sys('lo', 'type', '772'),
    sys('tun0', 'type', '65534'),
    sys('tun0', 'tun_flags', '0x1001'),
    sys('wg0', 'uevent', 'DEVTYPE=wireguard'),
    sys('eth0', 'operstate', 'up'),
    sys('eth1', 'operstate', 'down'),
    sys('eth0', 'speed', '1000'),
    sys('veth1', 'speed', '10000'),
    route('br0', '00000000', '0101A8C0', '0003', '00000000'),
    route('br0', '0001A8C0', '00000000', '0001', '00FFFFFF'),
    route('tun0', '00000080', '0108000A', '0003', '00000080'),
    six('0'.repeat(32), '00', '00200200', 'lo'),
    six('0'.repeat(32), '00', '00000003', 'eth6'),
    six(`fe80${'0'.repeat(28)}`, '40', '00000001', 'eth7'),
  ]);
  expect(Object.fromEntries(structure)).toEqual({
    eth0: { isHardware: true, master: 'br0', isDown: false, speedMbps: 1000 },
    br0: { lowers: ['eth0', 'veth1'], kind: 'bridge', hasRoute: true, hasGateway: true, hasDefaultRoute: true },
    veth1: { master: 'br0' },
    lo: { kind: 'loopback' },
    tun0: { kind: 'tunnel', hasRoute: true, hasGateway: true, hasDefaultRoute: true },
    wg0: { kind: 'tunnel' },
    eth1: { isDown: true },
    eth6: { hasRoute: true, hasGateway: true, hasDefaultRoute: true },
  });
  expect(wiresOf([...structure.keys()], structure)).toEqual(['eth0', 'eth6']);
});

it('is nothing without /sys and routes', () => {
  expect(parseStructure(['', 'ls: no such file', 'cat: /proc/net/route: Permission denied']).size).toBe(0);
});

describe('the free space of a disk', () => {
  it.each([
    ['overlay 102687672 23456 79317504 1% /', 79317504 * 1024],
    ['/dev/mapper/a b 100 20 80 20% /home', undefined],
    ['', undefined],
  ])('is read from df: %s', (line, bytes) => {
    expect(parseDiskFree(['lo', `@disk ${line}`])).toBe(bytes);
  });

  it.runIf(process.platform === 'linux')('is what this machine prints', () => {
    const printed = outputNow('sh', ['-c', diskScript], 5000);
    expect(parseDiskFree(printed.split('\n'))).toBeGreaterThan(0);
  });
});

it.runIf(process.platform === 'linux')('of this machine has its loopback', () => {
  expect(readStructure().get('lo')?.kind).toBe('loopback');
});
