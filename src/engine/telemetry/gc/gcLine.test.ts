import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectorOf, isGcLog, parseGcLine, stripDecorations } from './gcLine';
import { GcTime, longestPerSecond } from './gcTime';

const recorded = (name: string): string[] =>
  readFileSync(join(__dirname, '../../../../tests/fixtures/jvm', name), 'utf8').split('\n');
const pausesOf = (lines: readonly string[]): number[] =>
  lines.flatMap((line) => {
    const parsed = parseGcLine(line);
    return parsed?.kind === 'pause' ? [parsed.pauseMs] : [];
  });

describe('logs captured from JVMs', () => {
  it.each([
    ['zgc-fast.log', 'ZGC'],
    ['zgc-slow.log', 'ZGC'],
    ['g1-fast.log', 'G1'],
    ['g1-gc-safepoint-time-uptime-level-tags.log', 'G1'],
    ['stdout-uptime-time-slow.log', 'G1'],
  ])('all pauses and the collector are read from %s', (name, collector) => {
    const lines = recorded(name);
    // Counted independently: the end of a line of a collection or phase that stops the program.
    const own = lines
      .filter((line) => /\] GC\(\d+\) Pause .*\dms$/.test(line))
      .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1, -2)));
    expect(own.length).toBeGreaterThan(10);
    expect(pausesOf(lines)).toEqual(own);
    const collectors = lines.flatMap((line) => {
      const parsed = parseGcLine(line);
      return parsed?.kind === 'collector' ? [parsed.collector] : [];
    });
    expect(new Set(collectors)).toEqual(new Set([collector]));
    expect(lines.some(isGcLog)).toBe(true);
  });
});

describe('a line', () => {
  it.each([
    ['[0.228s][info][gc,phases   ] GC(0) Pause Mark Start 0.006ms', 'Mark Start', 0.006],
    ['[1.5s] GC(4) Y: Pause Mark End 0.021ms', 'Mark End', 0.021],
    ['[1.5s] GC(4) O: Pause Relocate Start 1.250ms', 'Relocate Start', 1.25],
    [
      'GC(3) Pause Young (Mixed) (G1 Evacuation Pause) 91M->31M(380M) 7.075ms',
      'Young (Mixed) (G1 Evacuation Pause)',
      7.075,
    ],
    ['[2.0s][gc] GC(9) Pause Remark 120M->120M(300M) 2.100ms', 'Remark', 2.1],
    ['[2.0s][gc] GC(9) Pause Full (System.gc()) 3M->1M(9M) 11.500ms', 'Full (System.gc())', 11.5],
    [
      '[2.0s][gc] GC(1) Pause Young (Allocation Failure) 8192K->2048K(9216K) 1.234ms',
      'Young (Allocation Failure)',
      1.234,
    ],
    ['[2.0s][gc] GC(1) Pause Init Mark (unload classes) 0.100ms', 'Init Mark (unload classes)', 0.1],
    ['[2.0s][gc] GC(1) Pause Degenerated GC (Mark) 12M->3M(64M) 4.000ms', 'Degenerated GC (Mark)', 4],
    ['[2026-11-21T09:31:46.834+0000][12][34][host] GC(0) Pause Final Mark 1,500ms', 'Final Mark', 1.5],
  ])('%s is a pause', (line, what, pauseMs) => {
    expect(parseGcLine(line)).toMatchObject({ kind: 'pause', what, pauseMs });
  });

  it.each([
    '[0.231s][info][gc,phases   ] GC(0) Concurrent Mark 3.408ms',
    '[0.334s][info][gc,start    ] GC(0) Pause Young (Normal) (G1 Evacuation Pause)',
    '[10.1s][info][gc,stats    ]       Phase: Pause Mark End       0.005 / 0.007         0.005 / 0.007       ms',
    '[10.1s][info][gc,stats    ]    Critical: Allocation Stall       0.000 / 0.000       ms',
    '[0.059s][info][gc,phases   ] GC(0)   Pre Evacuate Collection Set: 0.1ms',
    '[0.332s][info][safepoint] Safepoint "G1CollectForAllocation", At safepoint: 2906171 ns, Total: 2918740 ns',
    'Pause for a moment 12.0ms',
    '',
    '[',
  ])('%s is not a pause', (line) => {
    const kind = parseGcLine(line)?.kind;
    expect(kind).not.toBe('pause');
    expect(kind).not.toBe('stall');
  });

  it('may report an allocation stall of one thread', () => {
    expect(parseGcLine('[9.1s][info][gc          ] Allocation Stall (worker (7)) 8.286ms')).toMatchObject({
      kind: 'stall',
      what: 'Allocation Stall',
      pauseMs: 8.286,
    });
  });

  it('may have its decorations in any order', () => {
    const at = Date.UTC(2026, 10, 21, 9, 31, 46, 834);
    expect(stripDecorations('[info][2026-11-21T11:31:46.834+0200][0.332s] x').time).toEqual({
      wallMs: at,
      uptimeMs: 332,
    });
    expect(stripDecorations('[gc    ][332ms][2026-11-21T09:31:46.834Z] x').time).toEqual({
      wallMs: at,
      uptimeMs: 332,
    });
    expect(stripDecorations(`[${at}ms][7] x`).time).toEqual({ wallMs: at, uptimeMs: undefined });
    expect(stripDecorations('[332000000ns][debug][4711] x')).toEqual({
      time: { wallMs: undefined, uptimeMs: 332 },
      body: 'x',
    });
    expect(stripDecorations('x').time).toEqual({ wallMs: undefined, uptimeMs: undefined });
  });
});

it('identifies a collector by its pauses', () => {
  expect(['Mark Start', 'Young (Normal) (G1 Evacuation Pause)', 'Final Mark', 'Full (x)'].map(collectorOf)).toEqual([
    'ZGC',
    'G1',
    'Shenandoah',
    undefined,
  ]);
});

describe('the end of a pause', () => {
  it("is the log's time, by our clock", () => {
    const times = new GcTime(() => ({ offsetMs: 500, uncertaintyMs: 1 }));
    expect(times.timeOf({ wallMs: 10_000, uptimeMs: 5 }, 99_999)).toBe(9500);
  });

  it('is derived from the fastest line where the log has only uptimes', () => {
    const times = new GcTime(() => undefined);
    expect(times.timeOf({ uptimeMs: 1000 }, 51_030)).toBe(51_030);
    expect(times.timeOf({ uptimeMs: 2000 }, 52_005)).toBe(52_005);
    expect(times.timeOf({ uptimeMs: 3000 }, 53_900)).toBe(53_005);
  });

  it('starts over with another JVM, and is the receive time where the log has no time', () => {
    const times = new GcTime(() => undefined);
    times.timeOf({ uptimeMs: 100_000 }, 200_000);
    expect(times.timeOf({ uptimeMs: 10 }, 300_000)).toBe(300_000);
    expect(times.timeOf({}, 300_007)).toBe(300_007);
  });
});

it('yields a sample for each second with a pause', () => {
  const samples = longestPerSecond([
    { timeMs: 1100, pauseMs: 1, kind: 'Mark Start' },
    { timeMs: 1900, pauseMs: 3, kind: 'Mark End' },
    { timeMs: 1950, pauseMs: 2, kind: 'Relocate Start' },
    { timeMs: 3000, pauseMs: 40, kind: 'stall' },
  ]);
  expect(samples).toEqual([
    { timeMs: 1900, values: { gcPauseMs: 3 } },
    { timeMs: 3000, values: { 'server:gc_stall_ms': 40 } },
  ]);
});
