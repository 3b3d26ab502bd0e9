import { audiencesOf } from '../model/distribution';
import type { NetworkConditions, PlanNetwork } from '../model/network';
import type { Plan } from '../model/plan';
import { formatFigure, counted } from '../text/numberFormat';
import { formatDelay } from '../text/timeFormat';
import { isRealNetwork, presetName } from './networkPresets';

/** A network in one line, e.g. `3G, 2 % loss, shared by 20, 1 change`; undefined for the real one. */
export function networkText(network: PlanNetwork | undefined): string | undefined {
  if (network === undefined || isRealNetwork(network)) return undefined;
  const { sharedBy = 1, steps = [] } = network;
  return [
    ...conditionTexts(network),
    ...(sharedBy > 1 ? [`shared by ${formatFigure(sharedBy, 'integer')}`] : []),
    ...(steps.length > 0 ? [counted(steps.length, 'change')] : []),
  ].join(', ');
}

function conditionTexts({
  preset,
  downKbps,
  upKbps,
  rttMs,
  jitterMs,
  lossPercent,
  burst,
  queueMs,
}: NetworkConditions): string[] {
  return [
    ...(preset === undefined ? [] : [presetName(preset)]),
    ...(downKbps === undefined ? [] : [`${bitrate(downKbps)} down`]),
    ...(upKbps === undefined ? [] : [`${bitrate(upKbps)} up`]),
    ...(rttMs === undefined ? [] : [`RTT ${formatDelay(rttMs)}`]),
    ...(jitterMs === undefined ? [] : [`jitter ${formatDelay(jitterMs)}`]),
    ...(lossPercent === undefined ? [] : [`${formatFigure(lossPercent, 'adaptive')} % loss`]),
    ...(burst === undefined ? [] : ['burst loss']),
    ...(queueMs === undefined ? [] : [`queue ${formatDelay(queueMs)}`]),
  ];
}

const bitrate = (kbps: number): string =>
  kbps < 1000 ? `${formatFigure(kbps, 'adaptive')} kbit/s` : `${formatFigure(kbps / 1000, 'adaptive')} Mbit/s`;

/**
 * For the sentence of a verdict: ` over a simulated network (3G)`; empty without one, `partly` if some audiences have
 * none.
 */
export function overNetworks(plan: Plan): string {
  const texts = audiencesOf(plan).map(({ network }) => networkText(network));
  const simulated = [...new Set(texts.flatMap((text) => text ?? []))];
  if (simulated.length === 0) return '';
  const partly = texts.includes(undefined) ? ' partly' : '';
  const what = simulated.length === 1 ? 'a simulated network' : 'simulated networks';
  return `${partly} over ${what} (${simulated.join('; ')})`;
}
