import { homedir } from 'node:os';
import { join } from 'node:path';
import type { NodeView } from '../domain/model/node';
import { createEngine, type Engine } from '../engine';
import type { Installation } from './installation';
import { logLimit, printLog, printStatus } from './print';

export interface CommandEngineOptions {
  /** Folder of runs; absent for commands that record nothing, which then open no folder of runs. */
  readonly runsFolder?: string;
  readonly acceptHostKeys?: readonly string[];
  readonly rulesFolder?: string;
  /** Folder of the runs with which ending runs are compared; default: `runsFolder`. */
  readonly baselinesFolder?: string;
}

/** The engine for the commands of the terminal. */
export function commandEngine(installation: Installation, options: CommandEngineOptions = {}): Engine {
  return createEngine({
    ...installation,
    variables: process.env,
    ...options,
    knownHostsFile: join(homedir(), '.config', 'fullhouse', 'known_hosts'),
    log: printLog,
    logLevel: logLimit(),
  });
}

/** Prints how to trust unknown host keys. */
export function reportUnknownKeys(nodes: readonly NodeView[]): void {
  for (const { hostKey } of nodes)
    if (hostKey?.state === 'unknown')
      printStatus(
        `To trust the key of ${hostKey.host}, compare its fingerprint and add: --accept-host-key ${hostKey.fingerprint}`,
      );
}
