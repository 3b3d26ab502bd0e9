import type { HostSample } from '../hostSource';

/** A stop-the-world pause, or a stall of one thread. */
export interface GcPause {
  /** When it ended, Unix time in ms by our clock. */
  readonly timeMs: number;
  readonly pauseMs: number;
  /**
   * `stall` is one thread that waited for memory; everything else stopped the entire program, e.g. `Mark Start`, `Young
   * (Normal)`.
   */
  readonly kind: string;
}

/** The series of allocation stalls; they are not pauses, since only one thread stops. */
const stallSeries = 'server:gc_stall_ms';

/** The longest pause and the longest stall of each second with one; other seconds yield no sample. */
export function longestPerSecond(pauses: readonly GcPause[]): HostSample[] {
  const seconds = new Map<number, { pause?: GcPause; stall?: GcPause }>();
  for (const one of pauses) {
    const second = Math.floor(one.timeMs / 1000);
    const longest = seconds.get(second) ?? {};
    seconds.set(second, longest);
    const place = one.kind === 'stall' ? 'stall' : 'pause';
    if (one.pauseMs >= (longest[place]?.pauseMs ?? 0)) longest[place] = one;
  }
  return [...seconds.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, { pause, stall }]) => ({
      timeMs: (pause ?? stall)?.timeMs ?? 0,
      values: {
        ...(pause && { gcPauseMs: pause.pauseMs }),
        ...(stall && { [stallSeries]: stall.pauseMs }),
      },
    }));
}
