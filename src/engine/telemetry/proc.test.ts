import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostValues, type HostReading } from './hostRates';
import { parseOpenFilesLimit, parseProc, parseProcessStat } from './procParse';

const recorded = (name: string): string => readFileSync(join(__dirname, '../../../tests/fixtures/proc', name), 'utf8');
const files = ['stat', 'loadavg', 'uptime', 'meminfo', 'net_sockstat', 'net_snmp', 'net_dev', 'srs_pid_stat'];
const linesAt = (moment: 't0' | 't1'): string[] =>
  files
    .map((name) => recorded(`${name}.${moment}.txt`))
    .join('')
    .split('\n');
const reading = (moment: 't0' | 't1', monotonicMs: number): HostReading => {
  const { processStats, ...counters } = parseProc(linesAt(moment));
  return {
    monotonicMs,
    ...counters,
    processes: processStats.map((stat) => ({
      pid: stat.pid,
      startedAt: stat.startTicks,
      cpuSeconds: stat.cpuTicks / 100,
      memoryBytes: stat.residentPages * 4096,
      threads: stat.threads,
    })),
  };
};
const traffic = (inBytes: number, outBytes = 0): HostReading['interfaces'] =>
  new Map([['eth0', { inBytes, outBytes }]]);

describe('captured text of /proc', () => {
  it('is read', () => {
    expect(parseProc(linesAt('t0'))).toMatchObject({
      cpu: {
        all: { busy: 59871 + 96 + 21108 + 2103 + 90, total: 59871 + 96 + 21108 + 504721 + 1036 + 2103 + 90 },
        cores: new Map([
          [0, {}],
          [1, {}],
        ]),
      },
      load: [0.88, 0.28, 0.3],
      memoryTotalBytes: 24684084 * 1024,
      memoryUsedBytes: (24684084 - 23594740) * 1024,
      interfaces: new Map([
        ['lo', { inBytes: 50170112, outBytes: 50170112 }],
        ['vo', { inBytes: 138834432, outBytes: 1918110179 }],
      ]),
      udp: { inErrors: 0, receiveBufferErrors: 0, sendBufferErrors: 0 },
      sockets: { all: 13, tcp: 8, udp: 3 },
      processStats: [{ pid: 20612, cpuTicks: 290 + 276, threads: 1, startTicks: 285665, residentPages: 37442 }],
    });
    expect(parseProc(linesAt('t0')).uptimeMs).toBeGreaterThan(0);
  });

  it('ignores impossible core numbers and figures that are not numbers', () => {
    const { cpu } = parseProc(['cpu 1 0 1 8', 'cpu0 1 0 1 8', 'cpu4294967290 1 0 1 8', 'cpu-1 1', 'cpu1e9 1']);
    expect([...(cpu?.cores.keys() ?? [])]).toEqual([0]);
    const [before, now] = ['1', 'x'].map((busy, second) => ({
      monotonicMs: second * 1000,
      ...parseProc([`cpu ${busy} 0 1 8`, '1 x 0.1 1/2 3']),
      processes: undefined,
    }));
    expect(now && hostValues(before, now)).toEqual({ load1: 1, load15: 0.1 });
  });

  it('gives the rates between two readings', () => {
    const values = hostValues(reading('t0', 0), reading('t1', 1018));
    expect(values.cpuPercent).toBeCloseTo((100 * 59) / 211, 5);
    expect(values['cpuCorePercent:0']).toBeCloseTo((100 * 32) / 105, 5);
    expect(values.load1).toBe(0.88);
    expect(values.networkOutMbps).toBeGreaterThan(values.networkInMbps ?? Infinity);
    expect(values).toMatchObject({ socketsUsed: 13, tcpSockets: 8, udpSockets: 3, processThreads: 1 });
    expect(values.processMemoryBytes).toBeGreaterThan(100_000_000);
    expect(values.processCpuPercent).toBeGreaterThan(5);
    expect(values.processCpuPercent).toBeLessThan(60);
    expect(values.udpSendBufferErrorsPerSecond).toBe(0);
  });

  it('gives the same rate when a reading is late', () => {
    const before = { monotonicMs: 0, interfaces: traffic(0) };
    const onTime = hostValues(before, { monotonicMs: 1000, interfaces: traffic(125_000) });
    const late = hostValues(before, { monotonicMs: 1700, interfaces: traffic(212_500) });
    expect(onTime.networkInMbps).toBe(1);
    expect(late.networkInMbps).toBeCloseTo(1);
  });

  it('gives no rate to a first reading, to a counter that ran backwards, nor across a gap', () => {
    expect(hostValues(undefined, reading('t0', 0))).not.toHaveProperty('cpuPercent');
    expect(hostValues(reading('t1', 0), reading('t0', 1000))).not.toHaveProperty('networkOutMbps');
    expect(hostValues(reading('t0', 0), reading('t1', 6000))).not.toHaveProperty('cpuPercent');
  });

  it('gives nothing for missing lines', () => {
    expect(parseProc([])).toEqual({ processStats: [] });
    expect(hostValues({ monotonicMs: 0 }, { monotonicMs: 1000 })).toEqual({});
  });
});

describe('the network of a remote host', () => {
  const eth = (bytes: number): HostReading['interfaces'] =>
    new Map([
      ['lo', { inBytes: bytes * 100, outBytes: bytes * 100 }],
      ['eth0', { inBytes: bytes, outBytes: 2 * bytes }],
      ['docker0', { inBytes: bytes, outBytes: bytes }],
    ]);

  it('is its external traffic, also per interface', () => {
    const values = hostValues(
      { monotonicMs: 0, interfaces: eth(0) },
      { monotonicMs: 1000, interfaces: eth(125_000) },
      'remote',
    );
    expect(values).toEqual({
      networkInMbps: 1,
      networkOutMbps: 2,
      'networkInMbps:eth0': 1,
      'networkOutMbps:eth0': 2,
    });
  });

  it('counts a wire once, with loopback on this machine only', () => {
    const counters = (mbps: number) => ({ inBytes: 0, outBytes: mbps * 125_000 });
    const at = (second: number): HostReading => ({
      monotonicMs: second * 1000,
      interfaces: new Map(
        ['lo', 'eth0', 'enP5s1', 'bond0', 'docker0', 'veth1'].map((name) => [name, counters(100 * second)]),
      ),
      network: new Map([
        ['eth0', { isHardware: true, hasDefaultRoute: true, speedMbps: 1000 }],
        ['enP5s1', { isHardware: true, master: 'eth0' }],
        ['lo', { kind: 'loopback' }],
      ]),
    });
    expect(hostValues(at(0), at(1), 'remote')).toEqual({
      ...{ networkInMbps: 0, networkOutMbps: 100, 'networkInMbps:eth0': 0, 'networkOutMbps:eth0': 100 },
    });
    expect(hostValues(at(0), at(1)).networkOutMbps).toBe(200);
  });

  it.each([
    [38_149_096, undefined, undefined],
    [1_150, 1_000, undefined],
    [1_040, 1_000, 1_000],
    [12_000, undefined, 12_000],
  ])('never shows a rate above the speed of the link: %s Mbit/s of %s', (mbps, speedMbps, shown) => {
    const at = (second: number): HostReading => ({
      monotonicMs: second * 1000,
      interfaces: new Map([['eth0', { inBytes: 0, outBytes: second * mbps * 125_000 }]]),
      network: new Map([['eth0', { isHardware: true, ...(speedMbps === undefined ? {} : { speedMbps }) }]]),
    });
    expect(hostValues(at(0), at(1), 'remote').networkOutMbps).toBe(shown);
  });
});

describe('the processes of a media server', () => {
  const one = (pid: number, startedAt: number, cpuSeconds: number) => ({
    pid,
    startedAt,
    cpuSeconds,
    memoryBytes: 10,
    threads: 1,
    openFiles: 5,
  });

  it('are summed', () => {
    const values = hostValues(
      { monotonicMs: 0, processes: [one(1, 7, 1), one(2, 8, 1)] },
      { monotonicMs: 1000, processes: [one(1, 7, 1.25), one(2, 8, 1.5)] },
    );
    expect(values).toEqual({
      processCpuPercent: 75,
      processMemoryBytes: 20,
      processThreads: 2,
      processOpenFiles: 10,
    });
  });

  it('give no CPU figure when a pid was reused', () => {
    const values = hostValues(
      { monotonicMs: 0, processes: [one(1, 7, 50)] },
      { monotonicMs: 1000, processes: [one(1, 9, 51)] },
    );
    expect(values).not.toHaveProperty('processCpuPercent');
    expect(values.processMemoryBytes).toBe(10);
  });

  it('may have names with spaces and parentheses', () => {
    const rest = 'S 1 20606 11466 0 -1 4194560 35289 0 6 0 290 276 0 0 20 0 3 0 285665 219938816 37442';
    expect(parseProcessStat(`77 (a) b (c d)) ${rest}`)).toMatchObject({
      pid: 77,
      threads: 3,
      residentPages: 37442,
    });
    expect(parseProcessStat('77 (half')).toBeUndefined();
  });
});

it('have their hard limit of open files', () => {
  expect(parseOpenFilesLimit('Max open files            1024                 20000                files     \n')).toBe(
    20000,
  );
  expect(
    parseOpenFilesLimit('Max open files            unlimited            unlimited            files     \n'),
  ).toBeUndefined();
});
