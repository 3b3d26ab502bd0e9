import { numberOption } from './numberOption';

export interface FidelityCommand {
  readonly command: 'fidelity';
  /** The browser's program; undefined: the first one found. */
  readonly chromium: string | undefined;
  /** How long each viewer plays. */
  readonly seconds: number;
  /** Undefined: standard output. One that ends in .json gets JSON. */
  readonly out: string | undefined;
  readonly json: boolean;
}

export const fidelityOptions = { chromium: { type: 'string' } } as const;

export const usualSeconds = 12;

export function readFidelity(values: {
  readonly chromium?: string | undefined;
  readonly seconds?: string | undefined;
  readonly out?: string | undefined;
  readonly json?: boolean | undefined;
}): FidelityCommand {
  return {
    command: 'fidelity',
    chromium: values.chromium,
    // Estimates of the bandwidth start after 5.5 s.
    seconds: numberOption('--seconds', values.seconds, usualSeconds, 7, 120),
    out: values.out,
    json: values.json ?? false,
  };
}
