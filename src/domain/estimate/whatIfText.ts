import { formatFigure } from '../numberFormat';
import { roughViewers, viewersInterval } from './estimateText';
import type { Need, NeedId, WhatIf, WhatIfAnswer } from './whatIf';

export const needTitles: Readonly<Record<NeedId, string>> = {
  cpu: 'CPU',
  bandwidth: 'Network',
  memory: 'Memory',
};
/** Within a sentence. */
export const needWords: Readonly<Record<NeedId, string>> = {
  cpu: 'the CPU',
  bandwidth: 'the network',
  memory: 'the memory',
};

const figure = (value: number): string =>
  formatFigure(value, Number.isInteger(value) ? 'integer' : 'adaptive');

/** A number of a need in the unit for people. */
export function needFigure(id: NeedId, value: number): { readonly text: string; readonly unit: string } {
  if (id === 'cpu') return { text: figure(value), unit: Math.abs(value - 1) < 0.05 ? 'core' : 'cores' };
  if (id === 'memory') return { text: figure(value / 2 ** 30), unit: 'GiB' };
  return value >= 1000
    ? { text: figure(value / 1000), unit: 'Gbit/s' }
    : { text: figure(value), unit: 'Mbit/s' };
}

/** `2.6 to 3.9`, in the unit of the value. */
export function needInterval({ id, value, low, high }: Need): string {
  const scale = id === 'memory' ? 2 ** 30 : id === 'bandwidth' && value >= 1000 ? 1000 : 1;
  return `${figure(Math.max(0, low) / scale)} to ${figure(high / scale)}`;
}

function needText(need: Need): string {
  const { text, unit } = needFigure(need.id, need.value);
  const sign = need.mark === 'extrapolated' ? '≈ ' : '';
  return `${sign}${text} ${unit} (${needInterval(need)})`;
}

/** The answer as sentences: what it takes, what it is limited by, and how many fit. */
export function whatIfSentences(answer: WhatIfAnswer, { viewers, bitrateKbps }: WhatIf): string[] {
  const { needs, limitedBy, most } = answer;
  if (needs.length === 0)
    return ["What it takes can't be told: neither CPU, network nor memory was measured over several sizes."];
  const at = bitrateKbps === undefined ? '' : ` at ${rateText(bitrateKbps)}`;
  const kinds = needs.map(
    (need) =>
      `${needText(need)}${need.id === 'cpu' ? ' of this kind' : need.id === 'memory' ? ' of memory' : ''}`,
  );
  const first = needs.find(({ id }) => id === limitedBy);
  return [
    `For ${formatFigure(viewers, 'integer')} viewers${at}: ${kinds.join(', ')}.`,
    ...(first ? [verdictSentence(first)] : []),
    ...(most
      ? [
          `Such a machine carries ≈ ${roughViewers(most.value)} viewers (${viewersInterval(most)}), limited by ${needWords[most.by]}.`,
        ]
      : []),
    ...answer.notes,
  ];
}

/** Whether it is enough, by what has the least room. */
export function verdictSentence(need: Need): string {
  const has = need.has === undefined ? undefined : needFigure(need.id, need.has);
  const of = has ? `${has.text} ${has.unit}` : '';
  const limit = needWords[need.id];
  if (need.verdict === 'enough') return `It is enough; ${limit} has the least room, with ${of} there.`;
  if (need.verdict === 'too-little') return `It is not enough: limited by ${limit}, of which there is ${of}.`;
  return `It is close: ${limit} may or may not do, with ${of} there.`;
}

export function rateText(kbps: number): string {
  return kbps >= 1000 ? `${figure(kbps / 1000)} Mbit/s` : `${figure(kbps)} kbit/s`;
}
