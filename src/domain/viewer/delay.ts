/** How a viewer's packets state the time of day of their sender: RTCP sender reports, or abs-capture-time. */
export const delayMethods = ['sender-report', 'capture-time'] as const;
export type DelayMethod = (typeof delayMethods)[number];

/**
 * Bounds of a delay. One beyond them shows that the clocks of sender and viewer differ; a frame that is older than the
 * highest one is a recording.
 */
export const minDelayMs = -1000;
export const maxDelayMs = 60_000;

/** Of one viewer in a report: more frames than it reads in a second; a media file's clock is known for several at once. */
export const maxDelaysPerReport = 300;

export const isPossibleDelay = (ms: number): boolean => ms >= minDelayMs && ms <= maxDelayMs;

/**
 * Why the delay of a stream is not measured, in one sentence. `delayMs` is the impossible delay; undefined if the clocks
 * differ by more than an hour.
 */
export function clocksDifferSentence(stream: string, tester: string, delayMs: number | undefined): string {
  const by =
    delayMs === undefined
      ? `differs from that of ${tester} by more than an hour`
      : `is ${delayMs < 0 ? 'ahead of' : 'behind'} that of ${tester}: it would be ${Math.round(delayMs / 100) / 10} s`;
  return `One-way delay of ${stream} not measured. The clock of its sender (publisher or server) ${by}. Synchronize both clocks, e.g. with NTP`;
}
