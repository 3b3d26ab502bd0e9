import { formatFigure } from '../../domain/text/numberFormat';
/** Figures in sentences of the log. */
export const whole = (value: number): string => formatFigure(value, 'integer');

/** A limit of 80 is 80, a measured 91.23 is 91.2. */
export const about = (value: number): string => formatFigure(value, Number.isInteger(value) ? 'integer' : 'adaptive');

export const seconds = (ms: number): string => `${about(ms / 1000)} s`;

/** `1 viewer`, `1,000 viewers`. */
export const viewers = (count: number): string => `${whole(count)} viewer${count === 1 ? '' : 's'}`;

/** The sentence for a pause of this process: it was stopped, or its machine slept or was overloaded. */
export function pauseSentence(pausedMs: number): string {
  return `This console did not run for ${whole(pausedMs / 1000)} s: its process was stopped or its machine asleep or overloaded.`;
}
