import type { Estimate } from '../../../domain/estimate/estimate';
import { measuredBitrateKbps, type WhatIf } from '../../../domain/estimate/whatIf';
import { chosen, grouped, typedNumber } from '../../ui/format/numbers';

/** The fields as typed; an empty one means: as measured. */
export interface WhatIfForm {
  readonly viewers: string;
  readonly bitrate: string;
  readonly cores: string;
  readonly nic: string;
  readonly memory: string;
}

export type WhatIfField = keyof WhatIfForm;
const fields: readonly WhatIfField[] = ['viewers', 'bitrate', 'cores', 'nic', 'memory'];

export interface WhatIfReading {
  /** Absent while a field is invalid. */
  readonly scenario?: WhatIf;
  /** Invalid fields, with a sentence each. */
  readonly problems: Readonly<Partial<Record<WhatIfField, string>>>;
}

/** Initial values: the common question. */
const firstViewers = 1000;

export const firstWhatIf: WhatIfForm = {
  viewers: grouped(firstViewers),
  bitrate: '',
  cores: '',
  nic: '',
  memory: '',
};

export function readWhatIf(form: WhatIfForm): WhatIfReading {
  const problems: Partial<Record<WhatIfField, string>> = {};
  const values: Partial<Record<WhatIfField, number>> = {};
  for (const field of fields) {
    if (form[field].trim() === '' && field !== 'viewers') continue;
    const value = typedNumber(form[field]);
    if (!value) problems[field] = 'Enter a number above 0.';
    else if (field === 'viewers' && value > 1_000_000) problems[field] = 'Max 1,000,000 viewers.';
    else values[field] = value;
  }
  const { viewers, bitrate, cores, nic, memory } = values;
  if (viewers === undefined || Object.keys(problems).length > 0) return { problems };
  return {
    problems,
    scenario: {
      viewers: Math.round(viewers),
      ...(bitrate !== undefined && { bitrateKbps: bitrate }),
      ...(cores !== undefined && { cores }),
      ...(nic !== undefined && { nicMbps: nic }),
      ...(memory !== undefined && { memoryBytes: memory * 2 ** 30 }),
    },
  };
}

/** Placeholder of an empty field. */
export function placeholders(estimate: Estimate): Readonly<Record<WhatIfField, string>> {
  const { cores, capacityMbps, memoryBytes } = estimate.machine;
  const kbps = measuredBitrateKbps(estimate);
  const known = (value: number | undefined, text: (value: number) => string): string =>
    value === undefined ? 'unknown' : text(value);
  return {
    viewers: '',
    bitrate: known(kbps, (value) => `${grouped(value)} kbit/s, measured`),
    cores: known(cores, (value) => `${chosen(value)}, as here`),
    nic: known(capacityMbps, (value) => `${grouped(value)} Mbit/s, by iperf3`),
    memory: known(memoryBytes, (value) => `${grouped(value / 2 ** 30, 1)} GiB, as here`),
  };
}
