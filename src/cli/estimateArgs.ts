import { parseDuration } from '../domain/plan/quantity';
import type { WhatIf } from '../domain/estimate/whatIf';
import { UsageError } from './usageError';

export interface EstimateCommand {
  readonly command: 'estimate';
  /** A kept run, or else a plan. */
  readonly run: string | undefined;
  readonly plan: string | undefined;
  /** Most viewers of the small load; by default a tenth of the plan's. */
  readonly most: number | undefined;
  readonly holdMs: number | undefined;
  readonly wish: WhatIf | undefined;
  readonly out: string;
  readonly json: boolean;
  readonly sets: readonly string[];
  readonly acceptHostKeys: readonly string[];
}

export const estimateOptions = {
  plan: { type: 'string' },
  most: { type: 'string' },
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
  readonly 'accept-host-key'?: readonly string[];
};

/** Throws a `UsageError`. */
export function readEstimate(run: string | undefined, typed: Typed, defaultOut: string): EstimateCommand {
  const { plan, hold } = typed;
  if ((run === undefined) === (plan === undefined))
    throw new UsageError(
      'Say what to estimate from: fullhouse estimate RUN, or fullhouse estimate --plan PLAN.yaml',
    );
  if (run !== undefined && (typed.most ?? hold ?? typed.out ?? typed.set) !== undefined)
    throw new UsageError(
      '--most, --hold, --out and --set are of a load that is still to be made: use them with --plan.',
    );
  const number = (name: 'most' | 'for' | 'kbps' | 'cores' | 'nic' | 'memory'): number | undefined => {
    const text = typed[name];
    if (text === undefined) return undefined;
    const value = Number(text.replaceAll(',', ''));
    if (!(value > 0) || !Number.isFinite(value))
      throw new UsageError(`--${name} "${text}" is no number above 0.`);
    return value;
  };
  const holdMs = hold === undefined ? undefined : parseDuration(hold);
  if (hold !== undefined && (holdMs === undefined || holdMs < 10_000))
    throw new UsageError(`--hold "${hold}" is no length of time of 10s or more; write it like 20s.`);
  const viewers = number('for');
  const [bitrateKbps, cores, nicMbps, memory] = [
    number('kbps'),
    number('cores'),
    number('nic'),
    number('memory'),
  ];
  if (viewers === undefined && (bitrateKbps ?? cores ?? nicMbps ?? memory) !== undefined)
    throw new UsageError('Say for how many viewers: --for N');
  const most = number('most');
  return {
    command: 'estimate',
    run,
    plan,
    most: most === undefined ? undefined : Math.round(most),
    holdMs,
    wish:
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
    acceptHostKeys: typed['accept-host-key'] ?? [],
  };
}
