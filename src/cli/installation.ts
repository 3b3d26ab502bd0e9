import { homedir } from 'node:os';
import { join } from 'node:path';
import type { EngineOptions } from '../engine';

/** Where the program's own parts lie. */
export interface Installation {
  readonly version: string;
  readonly agentFolder: string;
  readonly samplesFolder: string;
}

/** The engine as every command of the terminal wants it. */
export function engineOptions(
  installation: Installation,
  acceptHostKeys: readonly string[],
): Omit<EngineOptions, 'runsFolder'> {
  return {
    ...installation,
    knownHostsFile: join(homedir(), '.config', 'fullhouse', 'known_hosts'),
    acceptHostKeys,
  };
}
