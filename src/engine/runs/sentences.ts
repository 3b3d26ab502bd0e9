import { formatFigure } from '../../domain/numberFormat';
import type { PlanPull } from '../../domain/plan';
import type { PhaseName } from '../../domain/run';

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

/** What a phase begins with. */
export function phaseSentence(
  name: Exclude<PhaseName, 'prepare'>,
  count: { readonly requested: number; readonly connected: number; readonly present: number },
): string {
  if (name === 'ramp') return `Ramp: ${viewers(count.requested)} arrive`;
  return name === 'hold'
    ? `Hold: ${viewers(count.connected)} stay`
    : `Drain: ${viewers(count.present)} leave`;
}

/** What a pull says when its arrivals are over. */
export function fullSentence(connected: number, asked: number): string {
  return connected === asked
    ? `All ${viewers(connected)} are in`
    : `${whole(connected)} of ${viewers(asked)} are in, nobody is on the way any more`;
}
