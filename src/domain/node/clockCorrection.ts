import type { ClockView } from '../model/node';

/**
 * What to add to a delay by the tester's clock so that both of its times are of one clock; 0 unless both offsets are
 * known and differ by more than their uncertainty.
 */
export function clockCorrectionMs(tester: ClockView | undefined, sender: ClockView | undefined): number {
  if (!tester || !sender) return 0;
  const ms = sender.offsetMs - tester.offsetMs;
  return Math.abs(ms) > sender.uncertaintyMs + tester.uncertaintyMs ? ms : 0;
}
