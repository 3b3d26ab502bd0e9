import { ciOptions } from './ciArgs';
import { estimateOptions } from './estimateArgs';
import { fidelityOptions } from './fidelityArgs';
import { kubernetesOptions } from './kubernetesArgs';
import { libraryOptions } from './libraryArgs';
import { grafanaAndImportOptions } from './prometheusArgs';
import { sampleOptions } from './sampleArgs';
import { shareOptions } from './shareArgs';

/** All options of the command line; `help/commandTable.ts` says which command has which. */
export const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  verbose: { type: 'boolean' },
  out: { type: 'string' },
  json: { type: 'boolean' },
  set: { type: 'string', multiple: true },
  key: { type: 'string' },
  jump: { type: 'string' },
  prometheus: { type: 'string' },
  instance: { type: 'string', multiple: true },
  from: { type: 'string' },
  to: { type: 'string' },
  step: { type: 'string' },
  ...estimateOptions,
  ...libraryOptions,
  ...grafanaAndImportOptions,
  ...shareOptions,
  ...sampleOptions,
  ...fidelityOptions,
  ...ciOptions,
  ...kubernetesOptions,
  preset: { type: 'string' },
  rules: { type: 'string' },
  catalogue: { type: 'boolean' },
  'allow-hooks': { type: 'boolean' },
  'accept-host-key': { type: 'string', multiple: true },
} as const;

export type OptionName = keyof typeof options;
