import { defaultQueueMs, networkPresets, type NetworkPreset, type PlanNetwork } from '../../../../domain/model/network';
import { networkFormFields } from '../../../../domain/plan/fields/network';
import { networkFault } from '../../../../domain/plan/networkFaults';
import { presetConditions, presetName } from '../../../../domain/plan/networkPresets';
import { formatDelay } from '../../../../domain/text/timeFormat';
import type { FieldProblem } from '../../../ui/fieldProblem';
import { amountText, readAmount } from './amounts';

type Name = keyof typeof networkFormFields;
const names = Object.keys(networkFormFields) as readonly Name[];

/** The simulated network of an audience as its fields show it. */
export interface NetworkForm {
  readonly choice: NetworkPreset | 'custom';
  /** Empty for values that are not simulated, or those of `kept.preset`. */
  readonly texts: Readonly<Record<Name, string>>;
  /** Parts without a field; kept as they are while the choice stays. */
  readonly kept: Omit<PlanNetwork, Name>;
}

const noTexts = Object.fromEntries(names.map((name) => [name, ''])) as Record<Name, string>;
export const realNetwork: NetworkForm = { choice: 'none', texts: noTexts, kept: {} };

export const networkChoices: ReadonlyArray<{ readonly value: NetworkForm['choice']; readonly text: string }> = [
  ...networkPresets.map((value) => ({ value, text: presetName(value) })),
  { value: 'custom', text: 'Custom' },
];

/** The fields of a custom network, and that of a preset. */
export const networkControls = ({ choice }: NetworkForm): readonly Name[] =>
  choice === 'custom' ? names : choice === 'none' ? [] : ['sharedBy'];

const emptyMeans: Readonly<Record<Name, string>> = {
  downKbps: 'not limited',
  upKbps: 'not limited',
  rttMs: 'none',
  jitterMs: 'none',
  lossPercent: 'none',
  queueMs: formatDelay(defaultQueueMs),
  sharedBy: '1',
};

/** What an empty field of a custom network means. */
export function placeholderOf(name: Name, { kept: { preset } }: NetworkForm): string {
  const value = preset && name !== 'sharedBy' ? presetConditions(preset)[name] : undefined;
  if (value !== undefined) return amountText(networkFormFields[name].kind.bounds, value);
  return emptyMeans[name];
}

/** Another choice: a custom network starts with the values of the preset before it. */
export function withChoice(form: NetworkForm, choice: NetworkForm['choice']): NetworkForm {
  const { sharedBy } = form.texts;
  if (choice !== 'custom')
    return { choice, texts: { ...noTexts, sharedBy: choice === 'none' ? '' : sharedBy }, kept: {} };
  const kept = form.choice === 'custom' ? form.kept : form.choice === 'none' ? {} : { preset: form.choice };
  return { ...form, choice, kept };
}

/** The fields that show a plan's network. */
export function networkFormOf(network: PlanNetwork | undefined): NetworkForm {
  if (network === undefined) return realNetwork;
  const texts = { ...noTexts };
  for (const name of names) {
    const value = network[name];
    if (value !== undefined) texts[name] = amountText(networkFormFields[name].kind.bounds, value);
  }
  const { preset, burst, queuePackets, steps } = network;
  const rest = { ...(burst && { burst }), ...(queuePackets && { queuePackets }), ...(steps && { steps }) };
  const isPlain = Object.keys(rest).length === 0 && names.every((name) => name === 'sharedBy' || texts[name] === '');
  if (preset !== undefined && isPlain) return { choice: preset, texts, kept: {} };
  return { choice: 'custom', texts, kept: { ...(preset && { preset }), ...rest } };
}

/** The plan's network, absent for the real one, or the first invalid field. */
export function readNetwork({ choice, texts, kept }: NetworkForm): {
  readonly network?: PlanNetwork;
  readonly problem?: FieldProblem;
} {
  if (choice === 'none') return {};
  const values: Partial<Record<Name, number>> = {};
  for (const name of names) {
    if (texts[name].trim() === '') continue;
    const value = readAmount(networkFormFields[name].kind.bounds, texts[name]);
    if (typeof value === 'string') return { problem: { path: `pull.network.${name}`, sentence: value } };
    values[name] = value;
  }
  const network: PlanNetwork = choice === 'custom' ? { ...kept, ...values } : { preset: choice, ...values };
  const fault = networkFault(network);
  if (fault) return { problem: { path: 'pull.network.jitterMs', sentence: fault.sentence } };
  return Object.keys(network).length === 0 ? {} : { network };
}

/** Parts that only the YAML shows. */
export function keptText({ kept: { preset, burst, queuePackets, steps } }: NetworkForm): string | undefined {
  const parts = [
    ...(preset ? [`Empty fields have the values of ${presetName(preset)}.`] : []),
    ...(burst ? [`Burst loss: p ${burst.p} %, r ${burst.r} %.`] : []),
    ...(queuePackets ? [`The queue is bounded to ${queuePackets} packets, too.`] : []),
    ...(steps ? [`It changes ${steps.length === 1 ? 'once' : `${steps.length} times`}: edit that in the YAML.`] : []),
  ];
  return parts.length > 0 ? parts.join(' ') : undefined;
}
