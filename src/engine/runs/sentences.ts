import { formatFigure } from '../../domain/numberFormat';
import type { PlanPull } from '../../domain/plan';

/** Figures in sentences of the log. */
export const whole = (value: number): string => formatFigure(value, 'integer');
/** A limit of 80 is 80, a measured 91.23 is 91.2. */
export const about = (value: number): string =>
  formatFigure(value, Number.isInteger(value) ? 'integer' : 'adaptive');
export const seconds = (ms: number): string => `${about(ms / 1000)} s`;

/** `1 viewer`, `1,000 viewers`. */
export const viewers = (count: number): string => `${whole(count)} viewer${count === 1 ? '' : 's'}`;

export function pullSentence(pull: PlanPull): string {
  return `${viewers(pull.viewers)} of ${pull.stream} from ${pull.from} by ${pull.by.join(' and ')}, ${about(pull.ratePerSecond)} /s, held ${seconds(pull.holdMs)}`;
}
