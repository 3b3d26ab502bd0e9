import { formatFigure, formatRounded } from '../text/numberFormat';
import { roundedViewers, viewersInterval } from './estimateText';
import type { Need, NeedId, WhatIf, WhatIfAnswer } from './whatIf';

export const needTitles: Readonly<Record<NeedId, string>> = {
  cpu: 'CPU',
  bandwidth: 'Network',
  memory: 'Memory',
};
/** Within a sentence. */
export const needTexts: Readonly<Record<NeedId, string>> = {
  cpu: 'the CPU',
  bandwidth: 'the network',
  memory: 'the memory',
};

/** A need with its display unit. */
export function needFigure(id: NeedId, value: number): { readonly text: string; readonly unit: string } {
  if (id === 'cpu') return { text: formatRounded(value), unit: Math.abs(value - 1) < 0.05 ? 'core' : 'cores' };
  if (id === 'memory') return { text: formatRounded(value / 2 ** 30), unit: 'GiB' };
  return value >= 1000
    ? { text: formatRounded(value / 1000), unit: 'Gbit/s' }
    : { text: formatRounded(value), unit: 'Mbit/s' };
}

/** `2.6 to 3.9`, in the unit of the value. */
export function needInterval({ id, value, low, high }: Need): string {
  const scale = id === 'memory' ? 2 ** 30 : id === 'bandwidth' && value >= 1000 ? 1000 : 1;
  return `${formatRounded(Math.max(0, low) / scale)} to ${formatRounded(high / scale)}`;
}

function needText(need: Need): string {
  const { text, unit } = needFigure(need.id, need.value);
  if (need.verdict === 'vague') return `not enough data for ${needTexts[need.id]} (${needInterval(need)} ${unit})`;
  const sign = need.mark === 'extrapolated' ? '≈ ' : '';
  return `${sign}${text} ${unit} (${needInterval(need)})`;
}

/** The result as sentences: the needs, the bottleneck, and the maximum audience. */
export function whatIfSentences(answer: WhatIfAnswer, { viewers, bitrateKbps }: WhatIf): string[] {
  const { needs, limitedBy, most } = answer;
  if (needs.length === 0)
    return [
      'Requirements cannot be estimated: neither CPU, network nor memory was measured at several audience sizes.',
    ];
  const at = bitrateKbps === undefined ? '' : ` at ${rateText(bitrateKbps)}`;
  const kinds = needs.map(
    (need) =>
      `${needText(need)}${need.verdict === 'vague' ? '' : need.id === 'cpu' ? ' of this kind' : need.id === 'memory' ? ' of memory' : ''}`,
  );
  const first = needs.find(({ id }) => id === limitedBy);
  return [
    `For ${formatFigure(viewers, 'integer')} viewers${at}: ${kinds.join(', ')}.`,
    ...(first ? [verdictSentence(first)] : []),
    ...(most
      ? [
          `Such a machine supports ≈ ${roundedViewers(most.value)} viewers (${viewersInterval(most)}), limited by ${needTexts[most.by]}.`,
        ]
      : []),
    ...answer.notes,
  ];
}

/** Whether it is sufficient, by the resource with the least headroom. */
export function verdictSentence(need: Need): string {
  const has = need.has === undefined ? undefined : needFigure(need.id, need.has);
  const of = has ? `${has.text} ${has.unit}` : '';
  const limit = needTexts[need.id];
  if (need.verdict === 'enough') return `It is sufficient; ${limit} has the least headroom (${of} available).`;
  if (need.verdict === 'too-little') return `It is not sufficient: limited by ${limit} (${of} available).`;
  return `It is borderline: ${limit} may not be sufficient (${of} available).`;
}

function rateText(kbps: number): string {
  return kbps >= 1000 ? `${formatRounded(kbps / 1000)} Mbit/s` : `${formatRounded(kbps)} kbit/s`;
}
