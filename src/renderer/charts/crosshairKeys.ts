import type { TimeAxis } from './timeAxis.svelte';

/** Seconds of a step with Shift. */
const longStep = 10;

/**
 * Where a key moves the crosshair, in ms since the start of the run: by one or ten seconds, or to the first or last
 * second in view. Undefined for other keys.
 */
export function crosshairStep(
  key: string,
  shiftKey: boolean,
  {
    cursorMs,
    nowMs,
    range,
    firstMs = 0,
  }: Pick<TimeAxis, 'cursorMs' | 'nowMs' | 'range'> & { readonly firstMs?: number },
): number | undefined {
  const lastMs = Math.min(range.toMs, nowMs);
  if (key === 'Home') return second(Math.max(firstMs, range.fromMs), Math.ceil);
  if (key === 'End') return second(lastMs, Math.floor);
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  const by = (key === 'ArrowLeft' ? -1 : 1) * (shiftKey ? longStep : 1) * 1000;
  // Without a crosshair the first step starts at the end of what is in view.
  const from = second(cursorMs ?? lastMs, Math.round);
  return Math.min(second(nowMs, Math.floor), Math.max(firstMs, from + by));
}

const second = (timeMs: number, round: (value: number) => number): number => round(timeMs / 1000) * 1000;
