import { homedir } from 'node:os';
import { join } from 'node:path';
import type { NodeView } from '../domain/node';
import { createEngine, type Engine } from '../engine';
import type { Installation } from './installation';
import { say } from './say';

export interface CommandEngineOptions {
  /** Where runs are kept; absent for what records nothing, which then opens no folder of runs. */
  readonly runsFolder?: string;
  readonly acceptHostKeys?: readonly string[];
  readonly rulesFolder?: string;
}

/** The engine as every command of the terminal wants it. */
export function commandEngine(installation: Installation, options: CommandEngineOptions = {}): Engine {
  return createEngine({
    ...installation,
    variables: process.env,
    ...options,
    knownHostsFile: join(homedir(), '.config', 'fullhouse', 'known_hosts'),
    log: say,
  });
}

/** Says how hosts are trusted whose keys nobody knows yet. */
export function tellUnknownKeys(nodes: readonly NodeView[]): void {
  for (const { hostKey } of nodes)
    if (hostKey?.state === 'unknown')
      say(
        `To trust the key of ${hostKey.host}, compare its fingerprint and add: --accept-host-key ${hostKey.fingerprint}`,
      );
}
