import {
  defaultQueueMs,
  networkLimits,
  networkPresets,
  type BurstLoss,
  type NetworkConditions,
  type NetworkStep,
  type PlanNetwork,
} from '../../model/network';
import { maxNetworkSteps, networkFault } from '../networkFaults';
import type { PlanField } from '../planField';
import { writeDuration } from '../quantity';
import { flow, list } from '../yamlText';
import { jsonOf, mapKind, mapOf, only, readFields, writeFields, type FieldsOf } from './fields';
import { bitrate, choice, duration, durationUpTo, percent, wholeNumber, type Kind } from './kind';

const share = percent({ max: 100, fromZero: true });
const notIn = 'not simulated';

export const burstFields: FieldsOf<BurstLoss> = {
  p: { key: 'p', kind: share, help: 'From the good state to the bad one, per packet' },
  r: {
    key: 'r',
    kind: share,
    help: 'From the bad state to the good one, per packet; 1/r is the mean length of a burst',
  },
  h: { key: 'h', kind: share, help: "A packet passes in the bad state; netem's `1-h` is its loss", default: 0 },
  k: { key: 'k', kind: share, help: "A packet passes in the good state; netem's `1-k` is its loss", default: 100 },
};

const conditionFields: FieldsOf<NetworkConditions> = {
  preset: {
    key: 'preset',
    kind: choice(networkPresets),
    help: 'The values to start from; those beside it replace its own. See [Networks](networks.md)',
    write: 'Name the preset.',
    isOptional: true,
    absent: 'none',
  },
  downKbps: {
    key: 'down',
    kind: bitrate(networkLimits.rateKbps),
    label: 'Down',
    help: 'Rate of the bottleneck to the viewers, `1.5Mbit/s`, counted with IP and transport headers',
    isOptional: true,
    absent: notIn,
  },
  upKbps: {
    key: 'up',
    kind: bitrate(networkLimits.rateKbps),
    label: 'Up',
    help: 'Rate of the bottleneck from the viewers',
    isOptional: true,
    absent: notIn,
  },
  rttMs: {
    key: 'rtt',
    kind: durationUpTo(2 * networkLimits.delayMs),
    label: 'RTT',
    help: 'Added to the round-trip time, half in each direction',
    write: 'Write it with its unit, e.g. 80ms.',
    isOptional: true,
    absent: notIn,
  },
  jitterMs: {
    key: 'jitter',
    kind: durationUpTo(networkLimits.jitterMs),
    label: 'Jitter',
    help: 'The delay of each direction varies by ± this; packets keep their order',
    write: 'Write it with its unit, e.g. 10ms.',
    isOptional: true,
    absent: notIn,
  },
  lossPercent: {
    key: 'loss',
    kind: share,
    label: 'Loss',
    help: 'Random loss of each direction. Not for TCP, which repairs it',
    write: 'Write it with its unit, e.g. 1%.',
    isOptional: true,
    absent: notIn,
  },
  burst: {
    key: 'burst',
    kind: mapKind(burstFields),
    help: 'Burst loss of each direction by the Gilbert-Elliott model, in addition: `{ p: 1%, r: 25% }`. Not for TCP',
    write: 'Write it like { p: 1%, r: 25% }.',
    isOptional: true,
    absent: notIn,
  },
  queueMs: {
    key: 'queue',
    kind: durationUpTo(networkLimits.queueMs, 1),
    label: 'Queue',
    help: 'Maximum wait in the queue of the bottleneck; packets beyond are dropped',
    write: 'Write it with its unit, e.g. 200ms.',
    isOptional: true,
    absent: writeDuration(defaultQueueMs),
  },
  queuePackets: {
    key: 'queuePackets',
    kind: wholeNumber({ min: 1, max: networkLimits.queuePackets }),
    help: 'Maximum packets in that queue, in addition',
    write: 'Write the number of packets.',
    isOptional: true,
    absent: 'unlimited',
  },
};

/** Values of a network that a form has controls for. */
export const networkFormFields = {
  ...only(conditionFields, ['downKbps', 'upKbps', 'rttMs', 'jitterMs', 'lossPercent', 'queueMs']),
  sharedBy: {
    key: 'sharedBy',
    kind: wholeNumber({ min: 1, max: networkLimits.sharedBy }),
    label: 'Shared by',
    unit: 'viewers',
    help: 'Viewers per bottleneck: they share its rate and its queue',
    write: 'Write the number of viewers.',
    isOptional: true,
    absent: '1',
  },
} satisfies Partial<FieldsOf<PlanNetwork>>;

export const networkStepFields: FieldsOf<NetworkStep> = {
  atMs: {
    key: 'at',
    kind: duration('A network starts with its own values; a step is later.'),
    help: 'Since the start of the audience',
    write: 'Write it with its unit, e.g. 30s.',
  },
  ...conditionFields,
};

const stepKind = mapKind(networkStepFields);
const writeSteps = 'Write it like [{ at: 30s, preset: 3g }, { at: 60s, loss: 5% }].';

const stepsKind: Kind<readonly NetworkStep[]> = {
  read: (field) => field.list(writeSteps, maxNetworkSteps).map((item) => stepKind.read(item, writeSteps)),
  write: (steps) => list(steps.map((step) => stepKind.write(step))),
  json: { type: 'array', minItems: 1, maxItems: maxNetworkSteps, items: stepKind.json },
  words: `list, max ${maxNetworkSteps}`,
  bounds: { is: 'list', min: 1, max: maxNetworkSteps, of: stepKind.bounds ?? { is: 'flag' } },
};

export const networkFields: FieldsOf<PlanNetwork> = {
  ...conditionFields,
  sharedBy: networkFormFields.sharedBy,
  steps: {
    key: 'steps',
    kind: stepsKind,
    help: 'Changes over time: what a step names replaces what was in force, a preset all of it',
    isOptional: true,
    absent: 'constant',
  },
};

const mapOfNetwork = mapKind(networkFields);

function readNetwork(field: PlanField, write: string): PlanNetwork {
  if (!field.isMap) return { preset: choice(networkPresets).read(field, write) };
  const given = mapOf(field, networkFields);
  const network = readFields(field, given, networkFields, write) as PlanNetwork;
  const fault = networkFault(network);
  if (fault) {
    const step = fault.step === undefined ? undefined : given.get('steps')?.list(writeSteps)[fault.step];
    (step ?? given.get('jitter') ?? field).fail(fault.sentence);
  }
  return network;
}

/** A preset by its name, or a map. */
export const networkKind: Kind<PlanNetwork> = {
  read: readNetwork,
  write: (network) => {
    const { preset, ...others } = network;
    return preset !== undefined && Object.values(others).every((value) => value === undefined)
      ? choice(networkPresets).write(preset)
      : flow(writeFields(networkFields, network));
  },
  json: { anyOf: [{ enum: [...networkPresets] }, jsonOf(networkFields)] },
  words: `${networkPresets.map((each) => `\`${each}\``).join(', ')}, map`,
  bounds: mapOfNetwork.bounds ?? { is: 'flag' },
};
