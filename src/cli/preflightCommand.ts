import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { catalogueTable } from '../engine/preflight/catalogueTable';
import type { Command } from './args';
import { commandEngine, reportUnknownKeys } from './commandEngine';
import { consentOptions, consentTo } from './consent';
import type { Installation } from './installation';
import { preflightLines } from './preflightLines';
import { readPlan } from './readPlan';
import { exitCodes } from './exitCodes';
import { print, printDocument, printJson, printStatus } from './print';
import { onStopSignal, StoppedBySignal } from './stopSignals';

/**
 * Checks the nodes of a plan and prints the findings; nothing is started. The exit code is 0 when no rule fails.
 * `--catalogue` prints the rules as Markdown.
 */
export async function preflightCommand(
  command: Extract<Command, { command: 'preflight' }>,
  installation: Installation,
): Promise<number> {
  const { plan: path } = command;
  if (path === undefined) {
    printDocument(`${catalogueTable()}\n`);
    return exitCodes.pass;
  }
  const plan = await readPlan({ ...command, plan: path }, printStatus);
  if (!plan) return exitCodes.notStarted;
  if (command.rules !== undefined && !existsSync(command.rules)) {
    printStatus(`The folder of rules ${command.rules} does not exist.`);
    return exitCodes.notStarted;
  }
  const { rules, acceptHostKeys } = command;
  const engine = commandEngine(installation, {
    acceptHostKeys,
    consent: consentOptions({ plan: path, sets: command.sets }),
    ...(rules === undefined ? {} : { rulesFolder: resolve(rules) }),
  });
  const id = 'cli';
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    void engine.client.call('preflight.cancel', { id });
  };
  const endSignals = onStopSignal(stop);
  try {
    const allowed = await consentTo(engine, plan, command, { scope: 'nodes' });
    if (!allowed) return exitCodes.notStarted;
    const report = await engine.client.call('preflight.run', { id, plan, ...allowed });
    const { nodes } = await engine.client.call('engine.state', {});
    reportUnknownKeys(nodes);
    if (command.json) printJson(report);
    else print(...preflightLines(report));
    return report.findings.some(({ result }) => result === 'fail') ? exitCodes.fail : exitCodes.pass;
  } catch (error) {
    if (isStopped) throw new StoppedBySignal((error as Error).message);
    throw error;
  } finally {
    endSignals();
    await engine.shutdown(true);
  }
}
