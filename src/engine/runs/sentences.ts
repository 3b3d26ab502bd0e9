import { silentGcLog, silentHostSource } from '../../domain/model/silentSource';
import type { NodeView } from '../../domain/model/node';
import { seconds } from '../base/sentences';
import type { HostBaseline } from '../../domain/model/otherLoad';
import type { Audience, Plan } from '../../domain/model/plan';
import { publisherGroups, type PublishedGroup } from '../../domain/model/publisherGroup';
import { describeAmount } from '../../domain/series/seriesAmount';
import type { ViewerPhase } from './pullSteps';
import { formatCount, formatRounded, formatViewers, counted } from '../../domain/text/numberFormat';

export function pullSentence(pull: Audience): string {
  const who = `of ${pull.stream} from ${pull.from} on ${pull.by.join(' and ')}`;
  if (pull.search)
    return `limit search ${who}, from ${formatCount(pull.search.fromViewers)} to max ${formatViewers(pull.search.maxViewers)}`;
  if (pull.stages)
    return `up to ${formatViewers(pull.viewers)} ${who}, in ${counted(pull.stages.length, 'stage')} over ${seconds(pull.holdMs)}`;
  return `${formatViewers(pull.viewers)} ${who}, ${formatRounded(pull.ratePerSecond)} /s, hold ${pull.holdMs === 0 ? 'until stopped' : seconds(pull.holdMs)}`;
}

/** What a plan puts on its servers: its first audience, or its publishers alone. */
export function loadSentence(plan: Plan): string {
  if (plan.pull) return pullSentence(plan.pull);
  return publisherGroups(plan)
    .map(({ publication: { stream, node }, by, publishers, ratePerSecond, holdMs, search }) => {
      if (search)
        return `limit search of ${stream} to ${node} on ${by}, from ${formatCount(search.fromViewers)} to max ${counted(search.maxViewers, 'publisher')}`;
      const hold = holdMs === 0 ? 'until stopped' : seconds(holdMs);
      return `${counted(publishers, 'publisher')} of ${stream} to ${node} on ${by}, ${formatRounded(ratePerSecond)} /s, hold ${hold}`;
    })
    .join('; ');
}

/** The sentence at the end of the ramp of publishers alone. */
export function publishersFullSentence({ stream, node, requested, live, failed }: PublishedGroup, ms: number): string {
  const which = `of ${stream} to ${node}`;
  if (live === requested)
    return `${requested === 1 ? 'The publisher' : `All ${formatCount(requested)} publishers`} ${which} connected within ${seconds(ms)}`;
  return `${formatCount(live)} of ${counted(requested, 'publisher')} ${which} connected, ${formatCount(failed)} failed`;
}

/** The sentence for a machine whose clock was set; `whose` is `this machine` or a tester's name. */
export function clockStepSentence(whose: string, stepMs: number): string {
  const direction = stepMs > 0 ? 'forward' : 'back';
  return `The clock of ${whose} was set ${direction} by ${formatCount(Math.abs(stepMs) / 1000)} s; times of this run continue without the step.`;
}

/** The sentence at the start of a phase. */
export function phaseSentence(
  name: ViewerPhase,
  count: { readonly requested: number; readonly connected: number; readonly present: number },
  clients: 'viewers' | 'publishers' = 'viewers',
): string {
  const text = (number: number): string => counted(number, clients === 'viewers' ? 'viewer' : 'publisher');
  if (name === 'ramp') return `Ramp: to ${text(count.requested)}`;
  return name === 'hold' ? `Hold: ${text(count.connected)}` : `Teardown: disconnecting ${text(count.present)}`;
}

/** The sentence at the end of a pull's ramp. */
export function rampEndSentence(connected: number, { viewers: asked, label }: Audience): string {
  const whose = label === undefined ? '' : ` of ${label}`;
  if (connected !== asked)
    return `${formatCount(connected)} of ${formatViewers(asked)}${whose} connected, none connecting`;
  return asked === 1 ? `The viewer${whose} connected` : `All ${formatViewers(asked)}${whose} connected`;
}

/**
 * What was measured of each host before the first viewer; `nameOf` maps the run's name of a node to its display name.
 */
export function baselineSentences(hosts: readonly HostBaseline[], nameOf: (node: string) => string): string[] {
  return hosts.map(({ nodes, values, programs = [] }) => {
    const percent = (value: number): string => `${formatCount(Math.round(value))} %`;
    const { cpuPercent, otherCpuPercent, consoleCpuPercent, memoryUsedBytes, networkOutMbps } = values;
    const [top] = programs;
    const named = top && top.percent >= 1 ? ` (top: ${top.name} ${percent(top.percent)})` : '';
    const words = [
      cpuPercent === undefined ? 'CPU not measured' : `CPU ${percent(cpuPercent)}`,
      ...(otherCpuPercent === undefined ? [] : [`other programs ${percent(otherCpuPercent)}${named}`]),
      ...(consoleCpuPercent === undefined ? [] : [`this console ${percent(consoleCpuPercent)}`]),
      ...(memoryUsedBytes === undefined ? [] : [`memory ${describeAmount('memoryUsedBytes', memoryUsedBytes)}`]),
      ...(networkOutMbps === undefined ? [] : [`out ${formatRounded(networkOutMbps)} Mbit/s`]),
    ];
    return `Baseline of the host of ${nodes.map(nameOf).join(' and ')}: ${words.join(', ')}`;
  });
}

/** The nodes whose configured sources of host figures or GC pauses report nothing before the first viewer. */
export function silentSources(views: readonly NodeView[]): string[] {
  return views.flatMap((view) => {
    const host = view.links?.some(({ kind, state }) => (kind === 'ssh' || kind === 'metrics') && state === 'live');
    const why = [host === true ? undefined : silentHostSource(view), silentGcLog(view)];
    return why.flatMap((reason) => (reason === undefined ? [] : [`Not measured on ${view.name}: ${reason}`]));
  });
}
