import {
  networkLimits,
  type NetworkConditions,
  type NetworkPreset,
  type NetworkStep,
  type PlanNetwork,
} from '../model/network';

/** A preset: its conditions, and how they change after it takes effect. docs/networks.md has the source of each figure. */
interface Preset {
  readonly name: string;
  readonly conditions: NetworkConditions;
  /** The rates change in a cycle: each factor lasts `ms`. */
  readonly cycle?: ReadonlyArray<{ readonly ms: number; readonly factor: number }>;
}

const presets: Readonly<Record<NetworkPreset, Preset>> = {
  none: { name: 'Real network', conditions: {} },
  '3g': {
    name: '3G',
    conditions: { downKbps: 1600, upKbps: 768, rttMs: 300, jitterMs: 50, lossPercent: 0.5, queueMs: 300 },
  },
  'lte-moving': {
    name: 'LTE in motion',
    conditions: {
      downKbps: 4200,
      upKbps: 680,
      rttMs: 90,
      jitterMs: 15,
      burst: { p: 1, r: 50, h: 0, k: 100 },
      queueMs: 300,
    },
    cycle: [
      { ms: 40_000, factor: 1 },
      { ms: 20_000, factor: 2.5 },
      { ms: 20_000, factor: 0.6 },
      { ms: 20_000, factor: 1 },
    ],
  },
  'bad-wifi': {
    name: 'Bad Wi-Fi',
    conditions: {
      downKbps: 2000,
      upKbps: 2000,
      rttMs: 40,
      jitterMs: 15,
      burst: { p: 2.5, r: 50, h: 0, k: 100 },
      queueMs: 300,
    },
  },
  satellite: {
    name: 'Satellite',
    conditions: {
      downKbps: 1000,
      upKbps: 256,
      rttMs: 600,
      burst: { p: 1, r: 100 / 3, h: 0, k: 100 },
      queueMs: 300,
    },
  },
};

/** Display name of a preset. */
export const presetName = (preset: NetworkPreset): string => presets[preset].name;

/** The values of a preset. */
export const presetConditions = (preset: NetworkPreset): NetworkConditions => presets[preset].conditions;

/** Conditions that are in force from a time on, without reference to a preset. */
export interface ResolvedStep extends Omit<NetworkConditions, 'preset'> {
  readonly atMs: number;
}

/**
 * What is in force when, at most `maxSteps`: changes of presets end there. A step replaces what it names; a preset
 * replaces everything before it, and its own changes end with the next step.
 */
export function resolveNetwork({ sharedBy: _, steps = [], ...first }: PlanNetwork, maxSteps: number): ResolvedStep[] {
  const planned: readonly NetworkStep[] = [{ ...first, atMs: 0 }, ...steps];
  const resolved: ResolvedStep[] = [];
  let before: Omit<NetworkConditions, 'preset'> = {};
  planned.forEach(({ atMs, preset, ...own }, place) => {
    before = { ...(preset === undefined ? before : presets[preset].conditions), ...own };
    resolved.push({ ...before, atMs });
    const cycle = preset === undefined ? undefined : presets[preset].cycle;
    if (!cycle) return;
    const untilMs = planned[place + 1]?.atMs ?? Infinity;
    const room = maxSteps - (planned.length - place - 1);
    let changeMs = atMs;
    for (let turn = 0; ; turn++) {
      const { ms = 0 } = cycle[turn % cycle.length] ?? {};
      const { factor = 1 } = cycle[(turn + 1) % cycle.length] ?? {};
      changeMs += ms;
      if (changeMs >= untilMs || resolved.length >= room) return;
      resolved.push({ ...scaled(before, factor), atMs: changeMs });
    }
  });
  return resolved;
}

function scaled(conditions: Omit<NetworkConditions, 'preset'>, factor: number): Omit<NetworkConditions, 'preset'> {
  const { downKbps, upKbps } = conditions;
  return {
    ...conditions,
    ...(downKbps === undefined ? {} : { downKbps: downKbps * factor }),
    ...(upKbps === undefined ? {} : { upKbps: upKbps * factor }),
  };
}

/** Whether the network does nothing: it need not be simulated. */
export const isRealNetwork = (network: PlanNetwork | undefined): boolean =>
  network === undefined ||
  resolveNetwork(network, networkLimits.steps).every(({ atMs: _, queueMs: _ms, queuePackets: _packets, ...rest }) =>
    Object.values(rest).every((value) => value === undefined || value === 0),
  );
