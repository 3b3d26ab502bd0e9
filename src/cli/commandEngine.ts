import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AlertRule } from '../domain/incidents/rules';
import type { NodeView } from '../domain/model/node';
import { createEngine, type Engine } from '../engine';
import type { ConsentOptions } from '../engine/consent/planGate';
import type { Installation } from './installation';
import { logLimit, printLog, printStatus } from './print';

interface CommandEngineOptions {
  /** Folder of runs; absent for commands that record nothing, which then open no folder of runs. */
  readonly runsFolder?: string;
  /** Where all that nodes report is recorded, for the command that watches. */
  readonly watchFolder?: string;
  /** What was recorded there is only read. */
  readonly isWatchReadOnly?: boolean;
  /** Default: the default ones. */
  readonly alertRules?: readonly AlertRule[];
  readonly acceptHostKeys?: readonly string[];
  readonly rulesFolder?: string;
  /** Folder of the runs with which ending runs are compared; default: `runsFolder`. */
  readonly baselinesFolder?: string;
  /** Consent to what a plan does, for commands with a plan. */
  readonly consent?: ConsentOptions;
}

/** Files of the command line beside those of the app. */
const ownFile = (name: string): string => join(homedir(), '.config', 'fullhouse', name);

/** Addresses that the person has allowed plans to contact. */
export const knownAddressesFile = ownFile('known_addresses');

/** The engine for the commands of the terminal. */
export function commandEngine(installation: Installation, options: CommandEngineOptions = {}): Engine {
  return createEngine({
    ...installation,
    variables: process.env,
    ...options,
    knownHostsFile: ownFile('known_hosts'),
    knownAddressesFile,
    log: printLog,
    logLevel: logLimit(),
  });
}

/** Runs `use` with an engine for the commands of the terminal, and closes it afterwards. */
export async function withCommandEngine<T>(
  installation: Installation,
  options: CommandEngineOptions,
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = commandEngine(installation, options);
  try {
    return await use(engine);
  } finally {
    await engine.shutdown(true);
  }
}

/** Prints how to trust unknown host keys. */
export function reportUnknownKeys(nodes: readonly NodeView[]): void {
  for (const { hostKey } of nodes)
    if (hostKey?.state === 'unknown')
      printStatus(
        `To trust the key of ${hostKey.host}, compare its fingerprint and add: --accept-host-key ${hostKey.fingerprint}`,
      );
}
