import { parseDuration } from '../domain/plan/quantity';
import type { WhatIf } from '../domain/estimate/whatIf';
import { UsageError } from './usageError';

export interface EstimateCommand {
  readonly command: 'estimate';
  /** A saved run, or else a plan. */
  readonly run: string | undefined;
  readonly plan: string | undefined;
  /** Max viewers of the calibration; default: a tenth of the plan's. */
  readonly max: number | undefined;
  readonly holdMs: number | undefined;
  readonly scenario: WhatIf | undefined;
  readonly out: string;
  readonly json: boolean;
  readonly sets: readonly string[];
  readonly allowHooks: boolean;
  readonly yes: boolean;
  readonly acceptHostKeys: readonly string[];
}

export const estimateOptions = {
  plan: { type: 'string' },
  max: { type: 'string' },
  hold: { type: 'string' },
  for: { type: 'string' },
  kbps: { type: 'string' },
  cores: { type: 'string' },
  nic: { type: 'string' },
  memory: { type: 'string' },
} as const;

type Typed = Readonly<Partial<Record<keyof typeof estimateOptions | 'out', string>>> & {
  readonly json?: boolean;
  readonly set?: readonly string[];
  readonly 'allow-hooks'?: boolean;
  readonly yes?: boolean;
  readonly 'accept-host-key'?: readonly string[];
};

/** Throws a `UsageError`. */
export function readEstimate(run: string | undefined, typed: Typed, defaultOut: string): EstimateCommand {
  const { plan, hold } = typed;
  if ((run === undefined) === (plan === undefined))
    throw new UsageError('Specify a run or a plan: fullhouse estimate RUN, or fullhouse estimate --plan PLAN.yaml');
  if (
    run !== undefined &&
    (typed.max ?? hold ?? typed.out ?? typed.set ?? typed.yes ?? typed['allow-hooks']) !== undefined
  )
    throw new UsageError('--max, --hold, --out, --set, --yes and --allow-hooks require --plan.');
  const number = (name: 'max' | 'for' | 'kbps' | 'cores' | 'nic' | 'memory'): number | undefined => {
    const text = typed[name];
    if (text === undefined) return undefined;
    const value = Number(text.replaceAll(',', ''));
    if (!(value > 0) || !Number.isFinite(value)) throw new UsageError(`--${name} "${text}" is not a number above 0.`);
    return value;
  };
  const holdMs = hold === undefined ? undefined : parseDuration(hold);
  if (hold !== undefined && (holdMs === undefined || holdMs < 10_000))
    throw new UsageError(`--hold "${hold}" is not a duration of 10s or more; write it like 20s.`);
  const viewers = number('for');
  const [bitrateKbps, cores, nicMbps, memory] = [number('kbps'), number('cores'), number('nic'), number('memory')];
  if (viewers === undefined && (bitrateKbps ?? cores ?? nicMbps ?? memory) !== undefined)
    throw new UsageError('Specify the number of viewers: --for N');
  const max = number('max');
  return {
    command: 'estimate',
    run,
    plan,
    max: max === undefined ? undefined : Math.round(max),
    holdMs,
    scenario:
      viewers === undefined
        ? undefined
        : {
            viewers: Math.round(viewers),
            ...(bitrateKbps !== undefined && { bitrateKbps }),
            ...(cores !== undefined && { cores }),
            ...(nicMbps !== undefined && { nicMbps }),
            ...(memory !== undefined && { memoryBytes: memory * 2 ** 30 }),
          },
    out: typed.out ?? defaultOut,
    json: typed.json ?? false,
    sets: typed.set ?? [],
    allowHooks: typed['allow-hooks'] ?? false,
    yes: typed.yes ?? false,
    acceptHostKeys: typed['accept-host-key'] ?? [],
  };
}
