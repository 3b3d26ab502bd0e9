import { describe, expect, it } from 'vitest';
import { hostValues } from '../hostRates';
import { parseMetrics } from './exposition';
import { isNodeExporter, lackingFigures, machineNames, nodeMachine, nodeReading, readingNames } from './nodeMetrics';

const read = (text: string) =>
  parseMetrics(text, (name) => readingNames.has(name) || machineNames.has(name), 'the exporter');
/** Figures of one second with 30 % CPU, 100 Mbit/s sent and 2 of 8 GB used. */
const figures = (page: (second: number) => string) => {
  const [before, now] = [read(page(0)), read(page(1))];
  expect(isNodeExporter(now)).toBe(true);
  return {
    values: hostValues(nodeReading(before, 0), nodeReading(now, 1000), 'remote'),
    lacking: lackingFigures(nodeReading(now, 1000)),
    machine: nodeMachine(now),
  };
};
const cpu =
  (name: string, cores: readonly string[], modes: Readonly<Record<string, number>>, label = 'cpu') =>
  (second: number) =>
    cores
      .flatMap((core) =>
        Object.entries(modes).map(
          ([mode, share]) => `${name}{${label}="${core}",mode="${mode}"} ${1000 + second * share}`,
        ),
      )
      .join('\n');
const sent =
  (name: string, devices: readonly string[], label = 'device') =>
  (second: number) =>
    devices.map((device) => `${name}{${label}="${device}"} ${5e9 + second * 12.5e6}`).join('\n');
const received = (name: string, devices: readonly string[], label = 'device') =>
  devices.map((device) => `${name}{${label}="${device}"} 7e9`).join('\n');

describe('a host of another system or version', () => {
  it.each<[string, (second: number) => string, readonly string[]]>([
    [
      'node_exporter before 0.16',
      (second) =>
        [
          cpu('node_cpu', ['cpu0', 'cpu1'], { idle: 0.7, user: 0.2, system: 0.1 })(second),
          sent('node_network_transmit_bytes', ['eth0', 'lo'])(second),
          received('node_network_receive_bytes', ['eth0', 'lo']),
          'node_memory_MemTotal 8e9\nnode_memory_MemAvailable 6e9\nnode_load1 1\nnode_load5 1\nnode_load15 1',
        ].join('\n'),
      ['UDP errors', 'sockets'],
    ],
    [
      'a kernel without MemAvailable',
      (second) =>
        [
          cpu('node_cpu_seconds_total', ['0', '1'], { idle: 0.6, iowait: 0.1, user: 0.3 })(second),
          sent('node_network_transmit_bytes_total', ['eth0'])(second),
          received('node_network_receive_bytes_total', ['eth0']),
          'node_memory_MemTotal_bytes 8e9\nnode_memory_MemFree_bytes 1e9\nnode_memory_Buffers_bytes 2e9\nnode_memory_Cached_bytes 3e9',
        ].join('\n'),
      ['load average', 'UDP errors', 'sockets'],
    ],
    [
      'FreeBSD',
      (second) =>
        [
          cpu('node_cpu_seconds_total', ['0', '1'], { idle: 0.7, user: 0.1, nice: 0, system: 0.1, interrupt: 0.1 })(
            second,
          ),
          sent('node_network_transmit_bytes_total', ['vtnet0', 'lo0', 'bridge0', 'tap0'])(second),
          received('node_network_receive_bytes_total', ['vtnet0', 'lo0', 'bridge0', 'tap0']),
          'node_memory_size_bytes 8e9\nnode_memory_free_bytes 1e9\nnode_memory_inactive_bytes 4e9\nnode_memory_cache_bytes 1e9\nnode_memory_wired_bytes 1e9',
          'node_load1 1\nnode_load5 1\nnode_load15 1',
        ].join('\n'),
      ['UDP errors', 'sockets'],
    ],
    [
      'macOS',
      (second) =>
        [
          cpu('node_cpu_seconds_total', ['0', '1'], { idle: 0.7, user: 0.2, system: 0.1, nice: 0 })(second),
          sent('node_network_transmit_bytes_total', ['en0', 'lo0', 'awdl0', 'utun0', 'bridge0'])(second),
          received('node_network_receive_bytes_total', ['en0', 'lo0', 'awdl0', 'utun0', 'bridge0']),
          'node_memory_total_bytes 8e9\nnode_memory_free_bytes 2e9\nnode_memory_inactive_bytes 4e9\nnode_memory_active_bytes 1e9',
        ].join('\n'),
      ['load average', 'UDP errors', 'sockets'],
    ],
    [
      'Windows',
      (second) =>
        [
          cpu(
            'windows_cpu_time_total',
            ['0,0', '0,1'],
            { idle: 0.7, user: 0.2, privileged: 0.1, interrupt: 0.05, dpc: 0.05 },
            'core',
          )(second),
          sent('windows_net_bytes_sent_total', ['Red_Hat_VirtIO_Ethernet_Adapter'], 'nic')(second),
          received('windows_net_bytes_received_total', ['Red_Hat_VirtIO_Ethernet_Adapter'], 'nic'),
          'windows_memory_physical_total_bytes 8e9\nwindows_memory_available_bytes 6e9',
          'windows_os_info{product="Microsoft Windows Server 2022",version="10.0.20348"} 1',
          'windows_exporter_build_info{version="0.30.0"} 1',
        ].join('\n'),
      ['load average', 'UDP errors', 'sockets'],
    ],
    [
      'Windows with wmi_exporter',
      (second) =>
        [
          cpu(
            'wmi_cpu_time_total',
            ['0,0', '0,1'],
            { idle: 0.7, user: 0.2, privileged: 0.1, interrupt: 0.05 },
            'core',
          )(second),
          sent('wmi_net_bytes_sent_total', ['vmxnet3_Ethernet_Adapter'], 'nic')(second),
          received('wmi_net_bytes_received_total', ['vmxnet3_Ethernet_Adapter'], 'nic'),
          'wmi_cs_physical_memory_bytes 8e9\nwmi_os_physical_memory_free_bytes 6e9',
        ].join('\n'),
      ['load average', 'UDP errors', 'sockets'],
    ],
  ])('%s', (_, page, lacking) => {
    const found = figures(page);
    expect(found.values.cpuPercent).toBeCloseTo(30, 5);
    expect(found.values['cpuCorePercent:1']).toBeCloseTo(30, 5);
    expect(found.values.memoryUsedBytes).toBe(2e9);
    expect(found.values.networkOutMbps).toBeCloseTo(100, 5);
    expect(found.lacking).toEqual(lacking);
    expect(found.machine).toMatchObject({ cores: 2, memoryBytes: 8e9 });
  });

  it('is described as what it is', () => {
    const { machine } = figures(() =>
      [
        'windows_cpu_time_total{core="0,0",mode="idle"} 1',
        'windows_os_info{product="Microsoft Windows Server 2022"} 1',
        'windows_exporter_build_info{version="0.30.0"} 1',
      ].join('\n'),
    );
    expect(machine).toMatchObject({
      system: 'Microsoft Windows Server 2022',
      versions: { windows_exporter: '0.30.0' },
    });
  });
});

describe('the wires of a host with an exporter', () => {
  const page = (devices: Readonly<Record<string, { mac?: string; mbps: number; more?: string }>>) => (second: number) =>
    Object.entries(devices)
      .flatMap(([device, { mac = '', mbps, more = '' }]) => [
        `node_network_transmit_bytes_total{device="${device}"} ${mbps * 1e6 + second * mbps * 125_000}`,
        `node_network_receive_bytes_total{device="${device}"} 0`,
        `node_network_info{address="${mac}",device="${device}",operstate="up"} 1`,
        ...(more === '' ? [] : [more.replaceAll('$', device)]),
      ])
      .join('\n');
  const toInternet = 'node_network_route_info{device="$",dest="default",gw="10.0.0.1",priority="100",proto="dhcp"} 1';

  it.each<[string, Parameters<typeof page>[0]]>([
    [
      'on Azure',
      { lo: { mbps: 30 }, eth0: { mac: '00:0d:3a:1:2:3', mbps: 100 }, enP5s1: { mac: '00:0d:3a:1:2:3', mbps: 99 } },
    ],
    [
      'with a bond',
      { eth0: { mac: 'aa:1', mbps: 50 }, eth1: { mac: 'aa:1', mbps: 50 }, bond0: { mac: 'aa:1', mbps: 100 } },
    ],
    [
      'with a bond, bridge, VLAN and containers',
      {
        eth0: { mac: 'aa:1', mbps: 60 },
        eth1: { mac: 'aa:1', mbps: 40 },
        bond0: { mac: 'aa:1', mbps: 100 },
        'bond0.7': { mac: 'aa:1', mbps: 100 },
        br7: { mac: 'aa:1', mbps: 90, more: toInternet },
        veth1: { mac: 'bb:2', mbps: 100 },
      },
    ],
    ['with PPPoE', { eth0: { mac: 'aa:1', mbps: 102 }, ppp0: { mbps: 100, more: toInternet } }],
    [
      'with WireGuard as default route',
      {
        eth0: {
          mac: 'aa:1',
          mbps: 100,
          more: 'node_network_route_info{device="$",dest="203.0.113.9/32",gw="10.0.0.1"} 1',
        },
        wg0: { mbps: 95, more: toInternet },
      },
    ],
    [
      'with Podman and LXD',
      {
        enp1s0: { mac: 'aa:1', mbps: 100 },
        podman0: { mac: 'cc:1', mbps: 100 },
        lxdbr0: { mac: 'dd:1', mbps: 100 },
        veth0: { mac: 'ee:1', mbps: 100 },
      },
    ],
    ['with the pods of AWS', { eth0: { mac: 'aa:1', mbps: 100 }, eni0a1b2c3d4e5: { mac: 'ab:2', mbps: 100 } }],
  ])('are counted once %s', (_, devices) => {
    expect(figures(page(devices)).values.networkOutMbps).toBeCloseTo(100, 5);
  });
});

it.each([
  'node_filesystem_avail_bytes{device="/dev/vda",fstype="ext4",mountpoint="/"} 5e9\nnode_filesystem_avail_bytes{mountpoint="/boot"} 1',
  'node_filesystem_avail{mountpoint="/boot"} 1\nnode_filesystem_avail{mountpoint="/"} 5e9',
  'windows_logical_disk_free_bytes{volume="D:"} 1\nwindows_logical_disk_free_bytes{volume="C:"} 5e9',
])('report the free space of the system disk: %s', (page) => {
  expect(nodeReading(read(page), 0).diskFreeBytes).toBe(5e9);
});
