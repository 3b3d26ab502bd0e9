import { formatFigure } from '../../domain/numberFormat';
import type { HostBaseline } from '../../domain/otherLoad/otherLoad';
import type { PlanPull } from '../../domain/plan/plan';
import { describeAmount } from '../../domain/seriesAmount';
import type { ViewerPhase } from './course';

/** Figures in sentences of the log. */
export const whole = (value: number): string => formatFigure(value, 'integer');
/** A limit of 80 is 80, a measured 91.23 is 91.2. */
export const about = (value: number): string =>
  formatFigure(value, Number.isInteger(value) ? 'integer' : 'adaptive');
export const seconds = (ms: number): string => `${about(ms / 1000)} s`;

/** `1 viewer`, `1,000 viewers`. */
export const viewers = (count: number): string => `${whole(count)} viewer${count === 1 ? '' : 's'}`;

export function pullSentence(pull: PlanPull): string {
  const who = `of ${pull.stream} from ${pull.from} by ${pull.by.join(' and ')}`;
  if (pull.search)
    return `the most viewers ${who} are looked for, from ${whole(pull.search.fromViewers)} to at most ${viewers(pull.search.mostViewers)}`;
  if (pull.stages)
    return `up to ${viewers(pull.viewers)} ${who}, in ${pull.stages.length} stage${pull.stages.length === 1 ? '' : 's'} over ${seconds(pull.holdMs)}`;
  return `${viewers(pull.viewers)} ${who}, ${about(pull.ratePerSecond)} /s, held ${pull.holdMs === 0 ? 'until stopped' : seconds(pull.holdMs)}`;
}

/** What is said when a machine's clock was set; `whose` is `this machine` or a tester's name. */
export function clockStepSentence(whose: string, stepMs: number): string {
  const direction = stepMs > 0 ? 'forward' : 'back';
  return `The clock of ${whose} was set ${direction} by ${whole(Math.abs(stepMs) / 1000)} s; times of this run go on without the step.`;
}

/** What is said when this process did not run: it was stopped, or its machine slept or had no time for it. */
export function pauseSentence(pausedMs: number): string {
  return `This console did not run for ${whole(pausedMs / 1000)} s: its process was stopped or its machine asleep or overloaded.`;
}

/** What a phase begins with. */
export function phaseSentence(
  name: ViewerPhase,
  count: { readonly requested: number; readonly connected: number; readonly present: number },
): string {
  if (name === 'ramp') return `Ramp: to ${viewers(count.requested)}`;
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

/** What was measured of each host before the first viewer; `nameOf` turns the run's name of a node into the one that people see. */
export function baselineSentences(
  hosts: readonly HostBaseline[],
  nameOf: (node: string) => string,
): string[] {
  return hosts.map(({ nodes, values, programs = [] }) => {
    const percent = (value: number): string => `${whole(Math.round(value))} %`;
    const { cpuPercent, otherCpuPercent, memoryUsedBytes, networkOutMbps } = values;
    const [top] = programs;
    const named = top && top.percent >= 1 ? ` (top: ${top.name} ${percent(top.percent)})` : '';
    const words = [
      cpuPercent === undefined ? 'CPU not measured' : `CPU ${percent(cpuPercent)}`,
      ...(otherCpuPercent === undefined ? [] : [`other programs ${percent(otherCpuPercent)}${named}`]),
      ...(memoryUsedBytes === undefined
        ? []
        : [`memory ${describeAmount('memoryUsedBytes', memoryUsedBytes)}`]),
      ...(networkOutMbps === undefined ? [] : [`out ${about(networkOutMbps)} Mbit/s`]),
    ];
    return `Baseline of the host of ${nodes.map(nameOf).join(' and ')}: ${words.join(', ')}`;
  });
}
