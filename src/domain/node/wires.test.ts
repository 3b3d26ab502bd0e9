import { describe, expect, it } from 'vitest';
import { plausibleMbps, wiresOf, type InterfaceFacts } from './wires';

type Host = Readonly<Record<string, InterfaceFacts>>;
const wires = (host: Host, bytes: Readonly<Record<string, number>> = {}): string[] =>
  wiresOf(Object.keys(host), new Map(Object.entries(host)), (name) => bytes[name] ?? 0);

const hw: InterfaceFacts = { isHardware: true };
const out: InterfaceFacts = { hasDefaultRoute: true, hasGateway: true, hasRoute: true };
const route: InterfaceFacts = { hasRoute: true };
const veth: InterfaceFacts = { kind: 'virtual', hasRoute: true };
const lo: InterfaceFacts = { kind: 'loopback', hasRoute: true };

describe('one wire counts once', () => {
  it.each<[string, Host, readonly string[]]>([
    ['a plain machine', { lo, eth0: { ...hw, ...out } }, ['eth0']],
    [
      'Azure, with a hardware interface below the synthetic one',
      { lo, eth0: { ...hw, ...out, lowers: ['enP5s1'] }, enP5s1: { ...hw, master: 'eth0' } },
      ['eth0'],
    ],
    [
      'Azure, where the route leads to the hardware interface',
      { eth0: hw, enP5s1: { ...hw, ...out, master: 'eth0' } },
      ['eth0'],
    ],
    ['AWS with a pod network', { ens5: { ...hw, ...out }, ens6: hw, eni0a1b2c3d4e5: veth, enidummy: veth }, ['ens5']],
    [
      'Docker',
      { eth0: { ...hw, ...out }, docker0: { kind: 'bridge', ...route }, veth1: { ...veth, master: 'docker0' } },
      ['eth0'],
    ],
    [
      'LXD, bridged to the wire',
      {
        eth0: { ...hw, master: 'lxdbr0' },
        lxdbr0: { kind: 'bridge', ...out, lowers: ['eth0', 'veth1'] },
        veth1: { kind: 'virtual', master: 'lxdbr0' },
      },
      ['eth0'],
    ],
    [
      'Podman',
      { enp1s0: { ...hw, ...out }, podman1: { kind: 'bridge', ...route }, veth0: { ...veth, master: 'podman1' } },
      ['enp1s0'],
    ],
    [
      'a macvlan with the default route',
      { eth0: { ...hw, ...route }, mac0: { kind: 'virtual', ...out, lowers: ['eth0'] } },
      ['eth0'],
    ],
    ['PPPoE', { eth0: hw, ppp0: { kind: 'ppp', ...out } }, ['ppp0']],
    ['PPPoE over a modem with an address', { eth0: { ...hw, ...route }, ppp0: { kind: 'ppp', ...out } }, ['ppp0']],
    [
      'a bond, bridge and VLAN',
      {
        eth0: { ...hw, master: 'bond0' },
        eth1: { ...hw, master: 'bond0' },
        bond0: { kind: 'bond', lowers: ['eth0', 'eth1'] },
        'bond0.7': { kind: 'virtual', lowers: ['bond0'], master: 'br7' },
        br7: { kind: 'bridge', ...out },
        veth1: { ...veth, master: 'br7' },
        vnet3: { kind: 'virtual', master: 'br7' },
      },
      ['bond0'],
    ],
    ['a team', { eth0: { ...hw, master: 'team0' }, eth1: { ...hw, master: 'team0' }, team0: out }, ['team0']],
    [
      'two VLANs of one wire',
      {
        eth0: hw,
        'eth0.1': { kind: 'virtual', ...out, lowers: ['eth0'] },
        'eth0.2': { kind: 'virtual', ...out, lowers: ['eth0'] },
      },
      ['eth0'],
    ],
    [
      'a VPN as default route',
      { eth0: { ...hw, ...route, hasGateway: true }, tun0: { kind: 'tunnel', ...out } },
      ['eth0'],
    ],
    ['WireGuard beside the default route', { eth0: { ...hw, ...out }, wg0: { kind: 'tunnel', ...out } }, ['eth0']],
    [
      'a tunnel over a bridge',
      { eth0: { ...hw, master: 'br0' }, br0: { kind: 'bridge', ...out }, wg0: { kind: 'tunnel', ...out } },
      ['eth0'],
    ],
    ['a tunnel alone, in a namespace of its own', { wg0: { kind: 'tunnel', ...out } }, ['wg0']],
    ['two providers', { eth0: { ...hw, ...out }, eth1: { ...hw, ...out }, eth2: hw }, ['eth0', 'eth1']],
    ['a container', { lo, eth0: { kind: 'virtual', ...out } }, ['eth0']],
    ['no default route', { eth0: { ...hw, ...route }, eth1: hw, docker0: { kind: 'bridge', ...route } }, ['eth0']],
    [
      'no default route, a bond',
      { eth0: { ...hw, master: 'bond0' }, eth1: { ...hw, master: 'bond0' }, bond0: { kind: 'bond', ...route } },
      ['bond0'],
    ],
    ['no route at all', { eth0: hw, docker0: { kind: 'bridge' } }, ['eth0']],
    ['a namespace with one end of a pair', { lo, vo: { kind: 'virtual', ...route } }, ['vo']],
    ['loopback only', { lo }, []],
    ['a loop of masters', { a: { ...out, lowers: ['b'] }, b: { lowers: ['a'] } }, ['b']],
  ])('%s', (_, host, expected) => {
    expect(wires(host)).toEqual(expected);
  });
});

describe('without what lies below', () => {
  const mac = (address: string, over: InterfaceFacts = {}): InterfaceFacts => ({ address, ...over });
  it.each<[string, Host, Readonly<Record<string, number>>, readonly string[]]>([
    ['Azure', { eth0: mac('a'), enP5s1: mac('a') }, { eth0: 9, enP5s1: 8 }, ['eth0']],
    ['Azure, the same so far', { enP5s1: mac('a'), eth0: mac('a') }, {}, ['eth0']],
    [
      'a bond',
      { eth0: mac('a'), eth1: mac('a'), bond0: mac('a'), docker0: mac('d') },
      { eth0: 4, eth1: 5, bond0: 9 },
      ['bond0'],
    ],
    [
      'a bridge of the same address',
      { eth0: mac('a'), br0: mac('a'), veth3: mac('v') },
      { eth0: 9, br0: 3, veth3: 5 },
      ['eth0'],
    ],
    [
      'a bridge with the default route',
      { eth0: mac('a'), lan: mac('a', out), vnet1: mac('v') },
      { eth0: 9, lan: 3 },
      ['eth0'],
    ],
    ['a VLAN with the default route', { eth0: mac('a'), 'eth0.5': mac('a', out) }, { eth0: 9, 'eth0.5': 8 }, ['eth0']],
    ['a macvlan', { eth0: mac('a'), mac0: mac('m', { ...out, lowers: ['eth0'] }) }, {}, ['eth0']],
    ['a tunnel', { eth0: mac('a', out), wg0: out }, {}, ['eth0']],
    ['a pod network', { eth0: mac('a'), eni0a1b2c3d4e5: mac('b'), cali12: mac('c'), azv1234: mac('e') }, {}, ['eth0']],
  ])('%s is one wire', (_, host, bytes, expected) => {
    expect(wires(host, bytes)).toEqual(expected);
  });
});

describe('by name only', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    [
      'Linux',
      ['lo', 'eth0', 'docker0', 'br-1a2b', 'veth1', 'virbr0', 'wg0', 'eth0.100', 'lxdbr0', 'podman0'],
      ['eth0'],
    ],
    ['a bond', ['eth0', 'eth1', 'bond0', 'br0', 'bond0.7'], ['eth0', 'eth1']],
    ['AWS', ['eth0', 'eni5f0a1b2c3d4', 'eth1'], ['eth0', 'eth1']],
    ['macOS', ['lo0', 'gif0', 'stf0', 'en0', 'awdl0', 'llw0', 'utun0', 'bridge0', 'anpi0', 'ap1'], ['en0']],
    ['FreeBSD', ['lo0', 'vtnet0', 'pflog0', 'enc0', 'tap0', 'bridge0'], ['vtnet0']],
    [
      'Windows',
      ['Intel[R] Ethernet', 'isatap.home', 'Microsoft Hyper-V Virtual Switch', 'Teredo Tunneling'],
      ['Intel[R] Ethernet'],
    ],
    ['a namespace', ['lo', 'veth0'], ['veth0']],
  ])('%s', (_, names, expected) => {
    expect(wiresOf(names)).toEqual(expected);
  });
});

it.each([
  [999, 1000, 999],
  [1040, 1000, 1000],
  [1200, 1000, undefined],
  [38_149_096, undefined, undefined],
  [95_000, undefined, 95_000],
  [-1, 1000, undefined],
  [NaN, 1000, undefined],
])('a rate of %s Mbit/s on a link of %s is %s', (mbps, speed, shown) => {
  expect(plausibleMbps(mbps, speed)).toBe(shown);
});
