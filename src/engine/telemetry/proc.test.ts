import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostValues, type HostReading } from './hostRates';
import {
  parseLoad,
  parseMemoryUsedBytes,
  parseNetwork,
  parseOpenFilesLimit,
  parseStat,
  parseUdp,
} from './procParse';

const recorded = (name: string): string =>
  readFileSync(join(__dirname, '../../../tests/fixtures/proc', name), 'utf8');
const reading = (moment: 't0' | 't1', monotonicMs: number): HostReading => ({
  monotonicMs,
  cpu: parseStat(recorded(`stat.${moment}.txt`)),
  load: parseLoad(recorded(`loadavg.${moment}.txt`)),
  memoryUsedBytes: parseMemoryUsedBytes(recorded(`meminfo.${moment}.txt`)),
  network: parseNetwork(recorded(`net_dev.${moment}.txt`)),
  udp: parseUdp(recorded(`net_snmp.${moment}.txt`)),
});

describe('text of /proc as a host had it', () => {
  it('is read', () => {
    expect(reading('t0', 0)).toMatchObject({
      cpu: {
        all: { busy: 59871 + 96 + 21108 + 2103 + 90, total: 59871 + 96 + 21108 + 504721 + 1036 + 2103 + 90 },
        cores: [{}, {}],
      },
      load: [0.88, 0.28, 0.3],
      memoryUsedBytes: (24684084 - 23594740) * 1024,
      network: { inBytes: 50170112 + 138834432, outBytes: 50170112 + 1918110179 },
      udp: { inErrors: 0, receiveBufferErrors: 0 },
    });
  });

  it('makes the rates of the time between two readings', () => {
    const values = hostValues(reading('t0', 0), reading('t1', 1018));
    expect(values.cpuPercent).toBeCloseTo((100 * 59) / 211, 5);
    expect(values['cpuCorePercent:0']).toBeCloseTo((100 * 32) / 105, 5);
    expect(values.load1).toBe(0.88);
    expect(values.networkOutMbps).toBeGreaterThan(values.networkInMbps ?? Infinity);
  });

  it('makes the same rate when a reading comes late', () => {
    const before = { monotonicMs: 0, network: { inBytes: 0, outBytes: 0 } };
    const onTime = hostValues(before, { monotonicMs: 1000, network: { inBytes: 125_000, outBytes: 0 } });
    const late = hostValues(before, { monotonicMs: 1700, network: { inBytes: 212_500, outBytes: 0 } });
    expect(onTime.networkInMbps).toBe(1);
    expect(late.networkInMbps).toBeCloseTo(1);
  });

  it('gives no rate to a first reading, nor to a counter that ran backwards', () => {
    expect(hostValues(undefined, reading('t0', 0))).not.toHaveProperty('cpuPercent');
    expect(hostValues(reading('t1', 0), reading('t0', 1000))).not.toHaveProperty('networkOutMbps');
  });

  it('gives nothing for lines that are not there', () => {
    expect([parseStat(''), parseLoad(''), parseMemoryUsedBytes(''), parseNetwork(''), parseUdp('')]).toEqual(
      Array(5).fill(undefined),
    );
  });
});

it('finds the hard limit of open files', () => {
  expect(
    parseOpenFilesLimit('Max open files            1024                 20000                files     \n'),
  ).toBe(20000);
  expect(
    parseOpenFilesLimit('Max open files            unlimited            unlimited            files     \n'),
  ).toBeUndefined();
});
