import { createInterface } from 'node:readline/promises';
import { dirname, resolve } from 'node:path';
import type { ConsentScope } from '../domain/consent/consent';
import { addressesOf, itemLine, newNodeLine } from '../domain/consent/consentText';
import { examplePlanFault } from '../domain/node/exampleAddress';
import type { Plan } from '../domain/model/plan';
import type { Engine } from '../engine';
import type { ConsentOptions } from '../engine/consent/planGate';
import { KnownAddresses } from '../engine/consent/knownAddresses';
import { knownAddressesFile } from './commandEngine';
import { printStatus } from './print';
import { standardInput } from './readPlan';
import { StoppedBySignal } from './stopSignals';

/** What a command was given for its plan. */
export interface ConsentCommand {
  /** Programs, files, secrets and clusters that the plan names are allowed. */
  readonly allowHooks: boolean;
  /** The plan's addresses are allowed, without a question. */
  readonly yes: boolean;
}

/** What the person typed is their own, and so is what lies beside the plan. */
export const consentOptions = ({
  plan,
  sets,
  isPreset = false,
}: {
  readonly plan: string;
  readonly sets: readonly string[];
  readonly isPreset?: boolean;
}): ConsentOptions => ({
  withoutFleet: true,
  typed: sets.map((set) => set.slice(0, Math.max(0, set.indexOf('='))).trim()),
  ...(isPreset || plan === standardInput ? {} : { planFolder: dirname(resolve(plan)) }),
});

/**
 * What may be started: with the person's consent to everything that the plan does outside of its run, and to every
 * address that they did not name before. Undefined without it, which is printed then.
 */
export async function consentTo(
  { client }: Engine,
  plan: Plan,
  { allowHooks, yes }: ConsentCommand,
  { scope = 'run', say = printStatus }: { readonly scope?: ConsentScope; readonly say?: (line: string) => void } = {},
): Promise<{ readonly allowHooks: boolean; readonly allowNodes: string[] } | undefined> {
  // Before any question: these are to be replaced, not allowed.
  const fault = examplePlanFault(plan);
  if (fault !== undefined) {
    say(fault);
    return undefined;
  }
  const { items, newNodes } = await client.call('plans.consent', { plan, scope });
  if (items.length > 0 && !allowHooks) {
    say(`${plan.name} does things outside of its run. Read each line; to allow all of them, add --allow-hooks:`);
    for (const item of items) say(`  ${itemLine(item)}`);
    return undefined;
  }
  const allowNodes = [...addressesOf(newNodes)];
  if (newNodes.length === 0 || yes) return { allowHooks, allowNodes };
  if (!isAsked()) {
    say(
      `${plan.name} contacts addresses that were not allowed before: ${newNodes.map(newNodeLine).join('; ')}. ` +
        'To allow them, add --yes.',
    );
    return undefined;
  }
  printStatus(`${plan.name} contacts addresses that were not allowed before:`);
  for (const node of newNodes) printStatus(`  ${newNodeLine(node)}`);
  if (!(await isConfirmed('Continue? [y/N] '))) return undefined;
  new KnownAddresses(knownAddressesFile, printStatus).add(allowNodes);
  return { allowHooks, allowNodes };
}

/** A person reads what is printed, and can answer. */
const isAsked = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

async function isConfirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const abort = new AbortController();
  terminal.on('close', () => abort.abort());
  let isStopped = false;
  terminal.on('SIGINT', () => {
    isStopped = true;
    terminal.close();
  });
  try {
    return /^y(es)?$/i.test((await terminal.question(question, { signal: abort.signal })).trim());
  } catch {
    printStatus('');
    if (isStopped) throw new StoppedBySignal();
    return false; // Ctrl-D
  } finally {
    terminal.close();
  }
}
