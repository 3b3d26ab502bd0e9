import { formatCount, formatRounded } from '../../domain/text/numberFormat';

export const seconds = (ms: number): string => `${formatRounded(ms / 1000)} s`;

/** The sentence for a pause of this process: it was stopped, or its machine slept or was overloaded. */
export function pauseSentence(pausedMs: number): string {
  return `This console did not run for ${formatCount(pausedMs / 1000)} s: its process was stopped or its machine asleep or overloaded.`;
}
