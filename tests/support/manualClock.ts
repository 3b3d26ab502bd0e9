import type { Clock } from '../../src/engine/base/clock';

/** For tests: a clock that is advanced manually; timers fire at their time. */
export function manualClock(): { clock: Clock; turn: (ms: number) => Promise<void> } {
  let nowMs = 1_795_000_000_000;
  let due: Array<{ atMs: number; run: () => void }> = [];
  return {
    clock: {
      now: () => nowMs,
      wall: () => nowMs,
      after: (ms, run) => {
        const mine = { atMs: nowMs + ms, run };
        due.push(mine);
        return () => {
          due = due.filter((one) => one !== mine);
        };
      },
    },
    turn: async (ms) => {
      const endMs = nowMs + ms;
      await new Promise((resolve) => setImmediate(resolve));
      for (;;) {
        const next = due.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
        if (!next) break;
        due = due.filter((one) => one !== next);
        nowMs = next.atMs;
        next.run();
        await new Promise((resolve) => setImmediate(resolve));
      }
      nowMs = endMs;
    },
  };
}
