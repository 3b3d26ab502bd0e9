import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OverviewBatch } from '../../contract/schemas';
import type { RunView } from '../../domain/model/run';
import type { SampleBatch } from '../../domain/series/series';
import { FakeClient } from '../../../tests/support/fakeClient';
import { RunRecord } from './runRecord.svelte';

const hourMs = 3_600_000;
const startedMs = 1_000_000_000;
const key = { node: 'origin', series: 'cpuPercent' } as const;

/** An overview with a point at each end of each step. */
function overview(fromMs: number, toMs: number, stepMs: number): OverviewBatch {
  const times: number[] = [];
  for (let at = fromMs; at < toMs; at += Math.max(1000, stepMs / 2)) times.push(at);
  return {
    stepMs,
    keys: [key],
    ends: [times.length],
    timeMs: Float64Array.from(times),
    value: Float32Array.from(times, (_, i) => i % 7),
    breaks: [],
    firstMs: [times[0] ?? 0],
    lastMs: [times.at(-1) ?? 0],
    nextMs: null,
  };
}

function samples(fromMs: number, toMs: number): SampleBatch {
  const timeMs: number[] = [];
  for (let at = fromMs; at < toMs; at += 1000) timeMs.push(at);
  return { keys: [key], key: timeMs.map(() => 0), timeMs, value: timeMs.map(() => 1) };
}

function client(): FakeClient {
  return new FakeClient({
    'runs.samples': ({ fromMs, toMs }) => ({ batch: samples(fromMs, toMs), nextMs: null }),
    'runs.overview': ({ fromMs, toMs, columns }) => {
      const columnMs = (toMs - fromMs) / columns;
      return overview(fromMs, toMs, columnMs < 2000 ? 0 : Math.floor(columnMs / 1000) * 1000);
    },
  });
}

const runOf = (lengthMs: number, state: RunView['state'] = 'ended'): RunView =>
  ({ id: 'night', state, startedMs, figures: { timeMs: startedMs + lengthMs } }) as unknown as RunView;

const view = (fromMs: number, toMs: number, cursorMs?: number) => ({
  fromMs: startedMs + fromMs,
  toMs: startedMs + toMs,
  columns: 400,
  cursorMs: cursorMs === undefined ? undefined : startedMs + cursorMs,
  series: [key.series],
});

const names = (engine: FakeClient): string[] => engine.asked.map(({ name }) => name);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('RunHistory', () => {
  it('reads a short run sample by sample', async () => {
    const engine = client();
    const record = new RunRecord(runOf(hourMs));
    await record.read(engine, startedMs + hourMs, false);
    expect(names(engine)).toEqual(['runs.samples']);
    expect(record.samples.column('origin', 'cpuPercent')?.length).toBe(3600);
  });

  it('reads a long run as an overview, and the visible range in detail, once', async () => {
    const engine = client();
    const record = new RunRecord(runOf(8 * hourMs));
    await record.read(engine, startedMs + 8 * hourMs, false);
    expect(names(engine)).toEqual(['runs.overview']);
    expect(record.samples.column('origin', 'cpuPercent')?.length).toBeLessThan(1000);

    // The overview is fine enough for the full run.
    record.look(view(0, 8 * hourMs));
    await vi.advanceTimersByTimeAsync(500);
    expect(engine.asked).toHaveLength(1);

    record.look(view(hourMs, 2 * hourMs));
    record.look(view(hourMs, hourMs + 300_000));
    await vi.advanceTimersByTimeAsync(500);
    expect(engine.asked).toHaveLength(2);
    const from = startedMs + hourMs;
    expect(record.samples.coarseMs(['cpuPercent'], from, from + 300_000)).toBe(0);
    expect(record.samples.columnFor('origin', 'cpuPercent', from, from + 300_000)?.length).toBeGreaterThan(600);

    // Its neighbours are already present.
    record.look(view(hourMs + 60_000, hourMs + 360_000));
    await vi.advanceTimersByTimeAsync(500);
    expect(engine.asked).toHaveLength(2);
  });

  it('ignores the detail of a range that is no longer visible when it arrives', async () => {
    const late: (() => void)[] = [];
    const engine = new FakeClient({
      'runs.overview': async ({ fromMs, toMs }) => {
        if (engine.asked.length === 2) await new Promise<void>((resolve) => late.push(resolve));
        return overview(fromMs, toMs, engine.asked.length === 1 ? 60_000 : 0);
      },
    });
    const record = new RunRecord(runOf(8 * hourMs));
    await record.read(engine, startedMs + 8 * hourMs, false);
    const stepMsAt = (fromMs: number): number =>
      record.samples.coarseMs(['cpuPercent'], startedMs + fromMs, startedMs + fromMs + 300_000);

    record.look(view(hourMs, hourMs + 300_000));
    await vi.advanceTimersByTimeAsync(500);
    record.look(view(5 * hourMs, 5 * hourMs + 300_000));
    await vi.advanceTimersByTimeAsync(500);
    for (const arrive of late) arrive();
    await vi.advanceTimersByTimeAsync(500);
    expect(late).toHaveLength(1);
    expect(engine.asked).toHaveLength(3);
    expect([stepMsAt(hourMs), stepMsAt(5 * hourMs)]).toEqual([60_000, 0]);
  });

  it('reads every sample around a resting crosshair', async () => {
    const engine = client();
    const record = new RunRecord(runOf(8 * hourMs));
    await record.read(engine, startedMs + 8 * hourMs, false);
    for (let at = 0; at < 10; at += 1) record.look(view(0, 8 * hourMs, hourMs + at * 1000));
    await vi.advanceTimersByTimeAsync(500);
    expect(engine.asked).toHaveLength(2);
    const at = startedMs + hourMs + 9000;
    expect(record.samples.coarseMs(['cpuPercent'], at - 1000, at + 1000)).toBe(0);
    expect(record.samples.coarseMs(['cpuPercent'], at + hourMs, at + hourMs)).toBe(60_000);
  });

  it('keeps a run of hours as small as after the first', async () => {
    const engine = client();
    const record = new RunRecord(runOf(0, 'running'));
    await record.read(engine, startedMs, true);
    let longest = 0;
    for (let minute = 0; minute < 10 * 60; minute += 1) {
      record.samples.append(samples(startedMs + minute * 60_000, startedMs + (minute + 1) * 60_000));
      record.grew();
      await vi.advanceTimersByTimeAsync(1);
      longest = Math.max(longest, record.samples.column('origin', 'cpuPercent')?.length ?? 0);
    }
    // An hour and a quarter of samples, and an overview.
    expect(longest).toBeLessThan(6000);
    expect(record.samples.firstTimeMs).toBe(startedMs);
    expect(record.samples.lastTimeMs).toBe(startedMs + 10 * hourMs - 1000);
    expect(record.samples.sparseBeforeMs).toBeLessThan(startedMs + 10 * hourMs - 2_000_000);
  });

  it('reads what is followed live once, and lets it grow', async () => {
    const engine = client();
    const record = new RunRecord(runOf(8 * hourMs, 'running'));
    await record.read(engine, startedMs + 8 * hourMs, true);
    const readings = (): number => names(engine).filter((name) => name === 'runs.overview').length;
    const follow = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) {
        const nowMs = (record.samples.lastTimeMs ?? 0) + 1000;
        record.samples.append(samples(nowMs, nowMs + 1000));
        const lastMs = nowMs - startedMs;
        record.look(view(lastMs - 2 * hourMs, lastMs));
        await vi.advanceTimersByTimeAsync(1000);
      }
    };
    await follow(3);
    const before = readings();
    await follow(60);
    expect(readings()).toBe(before);
    const toMs = record.samples.lastTimeMs ?? 0;
    const column = record.samples.columnFor('origin', 'cpuPercent', toMs - 2 * hourMs, toMs);
    expect(column?.timeAt(column.length - 1)).toBe(toMs);
  });

  it('waits before it tries again to read an overview', async () => {
    const engine = new FakeClient({
      'runs.samples': () => ({ batch: samples(0, 0), nextMs: null }),
      'runs.overview': () => {
        throw new Error('The file is damaged.');
      },
    });
    const record = new RunRecord(runOf(0, 'running'));
    await record.read(engine, startedMs, true);
    const asked = engine.asked.length;
    record.samples.append(samples(startedMs, startedMs + 2 * hourMs));
    for (let tick = 0; tick < 100; tick += 1) {
      record.grew();
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(engine.asked.length - asked).toBe(1);
  });
});
