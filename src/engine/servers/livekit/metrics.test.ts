import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseMetrics, type Metrics, type MetricValue } from '../../telemetry/metrics/exposition';
import { isWantedMetric, metricsReader } from './metrics';

const captured = (name: string): Metrics =>
  parseMetrics(
    readFileSync(
      join(__dirname, '..', '..', '..', '..', 'tests', 'fixtures', 'livekit', `metrics-${name}.prom`),
      'utf8',
    ),
    isWantedMetric,
    'fixture',
  );
const sent = (bytes: number, transmission = 'initial'): MetricValue => ({
  value: bytes,
  labels: { direction: 'outgoing', transmission },
});
const scrape = (bytes: readonly MetricValue[], cpuSeconds?: number): Metrics =>
  new Map([
    ...(bytes.length > 0 ? [['livekit_packet_bytes', bytes] as const] : []),
    ...(cpuSeconds === undefined ? [] : [['process_cpu_seconds_total', [{ value: cpuSeconds, labels: {} }]] as const]),
  ]);

describe('metrics of an idle server', () => {
  it('reports no traffic: the series do not exist before the first event', () => {
    const reader = metricsReader();
    reader.read(captured('idle'), 0);
    const { values, rooms, participants } = reader.read(captured('idle'), 5000);
    expect(values).toEqual({
      processCpuPercent: 0,
      processMemoryBytes: 48058368,
      processOpenFiles: 16,
      processThreads: 8,
      'server:goroutines': 117,
    });
    expect([rooms, participants]).toEqual([0, 0]);
  });
});

describe('metrics of a room', () => {
  it('counts from the time the series appeared, and reads the process', () => {
    const reader = metricsReader();
    reader.read(captured('idle'), 0);
    const { values, rooms, participants } = reader.read(captured('room-1pub-2sub'), 5000);
    expect([rooms, participants]).toEqual([1, 3]);
    expect(values.originOutMbps).toBeCloseTo((4737201 * 8) / 5 / 1e6, 6);
    expect(values.originInMbps).toBeCloseTo((4297960 * 8) / 5 / 1e6, 6);
    expect(values.originPacketsPerSecond).toBeCloseTo(6592 / 5, 6);
    expect(values['server:pli_incoming/s']).toBe(1);
    expect(values['server:tracks_published']).toBe(2);
    expect(values['server:tracks_subscribed']).toBe(4);
    expect(values.processCpuPercent).toBeCloseTo(((1.26 - 0.03) / 5) * 100, 6);
    expect(values).not.toHaveProperty('server:nack_incoming/s');
  });

  it('reports the longest GC pause since the previous scrape, and none without a collection', () => {
    const reader = metricsReader();
    expect(reader.read(captured('idle'), 0).values).not.toHaveProperty('gcPauseMs');
    expect(reader.read(captured('room-1pub-2sub'), 1000).values.gcPauseMs).toBeCloseTo(10.353704, 6);
    expect(reader.read(captured('room-1pub-2sub'), 2000).values).not.toHaveProperty('gcPauseMs');
  });

  it('gives even rates although LiveKit updates its counters every 5 s', () => {
    const reader = metricsReader();
    const rates: Array<number | undefined> = [];
    for (let second = 0; second <= 40; second += 1) {
      // 1 Mbit/s, counted at 3 s, 8 s, 13 s ...; scraped up to 0.2 s late.
      const steps = Math.floor((second + 2) / 5);
      const late = (second % 3) * 100;
      rates.push(reader.read(scrape([sent(steps * 625_000)]), second * 1000 + late).values.originOutMbps);
    }
    expect(rates.slice(0, 8)).toEqual(Array(8).fill(undefined));
    for (const rate of rates.slice(8)) expect(rate).toBeCloseTo(1, 1);
  });

  it('gives even rates although three tracks are counted at different times', () => {
    const reader = metricsReader();
    for (let second = 0; second <= 40; second += 1) {
      const bytes = [0.2, 1.7, 3.1].map((phase) => sent(Math.floor((second + phase) / 5) * 625_000));
      const rate = reader.read(scrape(bytes), second * 1000).values.originOutMbps;
      if (second < 20) continue;
      expect(rate).toBeGreaterThan(2.7);
      expect(rate).toBeLessThan(3.3);
    }
  });

  it('sums retransmissions and countries', () => {
    const reader = metricsReader();
    reader.read(scrape([]), 0);
    const { values } = reader.read(scrape([sent(1000), sent(1000, 'retransmit')]), 5000);
    expect(values.originOutMbps).toBeCloseTo(0.0032, 9);
  });

  it('is zero once nothing is sent', () => {
    const reader = metricsReader();
    reader.read(scrape([sent(5000)]), 0);
    expect(reader.read(scrape([sent(5000)]), 10_000).values.originOutMbps).toBe(0);
  });

  it('starts over after a server restart', () => {
    const reader = metricsReader();
    reader.read(scrape([sent(9000)], 50), 0);
    expect(reader.read(scrape([sent(100)], 0.1), 5000).values).toEqual({});
    expect(reader.read(scrape([sent(625_100)], 0.2), 10_000).values.originOutMbps).toBeCloseTo(1, 6);
  });
});
