import type { ClockEstimate } from '../../../domain/clock/clockOffset';

/** Times of the console that are less certain are not drawn. */
const maxUncertaintyMs = 50;
/** Without the console for this long its time is not drawn any more. */
const patienceMs = 30_000;

/** What a clock page knows of the console. */
export interface ConsoleContact {
  /** Of the console's clock; undefined before the first answer. */
  readonly estimate: ClockEstimate | undefined;
  /** Since the last answer. */
  readonly silentMs: number;
  /** The console serves the page and does not take its connection, because of the pages that it has. */
  readonly isRefused: boolean;
}

/** Why a clock page does not draw the console's time, in one sentence; undefined if it does. */
export function whyUnknown({ estimate, silentMs, isRefused }: ConsoleContact): string | undefined {
  if (estimate && silentMs < patienceMs)
    return estimate.uncertaintyMs <= maxUncertaintyMs
      ? undefined
      : `The console's time is known to ± ${Math.ceil(estimate.uncertaintyMs)} ms only, and drawn from ± ${maxUncertaintyMs} ms: use a faster network`;
  return isRefused
    ? 'Too many clock pages of this console are open: close one of them'
    : 'No connection to the console, so its time is not known';
}
