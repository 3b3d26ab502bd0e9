import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isVerbose, parseCommand, UsageError, type Command } from './args';
import { checkCommand } from './checkCommand';
import { ciCommand } from './ciCommand';
import { commentCommand } from './commentCommand';
import { currentOptions } from './deprecatedOptions';
import { ignoreClosedOutputs } from '../engine/base/closedOutputs';
import { reasonOf } from '../engine/store/failure';
import { resultJsonSchema } from '../contract/runResult';
import { planJsonSchema } from '../domain/plan/fields/plan';
import { errorText } from '../domain/text/errorText';
import { estimateCommand } from './estimateCommand';
import { fidelityCommand } from './fidelityCommand';
import { grafanaCommand } from './grafanaCommand';
import { completion } from './help/completion';
import { commandUsage, usage } from './help/usage';
import { historyCommand } from './historyCommand';
import { importCommand } from './importCommand';
import { sweepTempFolders } from '../engine/base/tempFolder';
import type { Installation } from './installation';
import { preflightCommand } from './preflightCommand';
import { presetFile, presetsCommand } from './presetsCommand';
import { baselineCommand, compareCommand, tagCommand } from './libraryCommands';
import { probeCommand, removeAgentCommand } from './nodeCommands';
import { reportCommand, showCommand } from './readCommands';
import { exitCodes, worstCode } from './exitCodes';
import { runCommand } from './runCommand';
import { sampleCommand } from './sampleCommand';
import { StoppedBySignal } from './stopSignals';
import { snapshotCommand } from './snapshotCommand';
import { cleanupCommand, kubernetesCommand } from './kubernetesCommand';
import { readersByFork } from '../engine/savedRuns/startReader';
import { print, printDocument, printStatus, setVerbose } from './print';

/** This file is bundled to out/cli; the root of the clone or of the package is two folders up. */
const root = join(__dirname, '..', '..');

/** In the desktop package, agents and media are the app's: beside the folder of the command line. */
const isInApp = existsSync(join(root, '..', 'agents', 'agents.json'));

function version(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return version;
}

function installation(): Installation {
  return {
    version: version(),
    agentFolder: isInApp ? join(root, '..', 'agents') : join(root, 'build', 'agents'),
    samplesFolder: join(isInApp ? join(root, '..') : root, 'assets', 'lab'),
    viewerPageFolder: join(root, 'out', 'viewer-page'),
    recordedBrowser: join(root, 'assets', 'fidelity', 'chromium.json'),
    // The bundle next to this one, see vite.cli.config.mts.
    startReader: readersByFork(join(__dirname, 'runReader.js')),
  };
}

/** With the file of its preset as the plan. */
const withFile = <C extends { readonly isPreset: boolean; readonly plan: string }>(command: C): C =>
  command.isPreset ? { ...command, plan: presetFile(command.plan, installation()) } : command;

async function act(command: Command): Promise<number> {
  switch (command.command) {
    case 'help':
      printDocument(`${command.of === undefined ? usage() : commandUsage(command.of)}\n`);
      return 0;
    case 'version':
      print(version());
      return 0;
    case 'run':
      return runCommand(withFile(command), installation());
    case 'check':
      return checkCommand(withFile(command), installation());
    case 'ci':
      return ciCommand(command, installation());
    case 'comment':
      return commentCommand(command);
    case 'presets':
      return presetsCommand(command.name, installation());
    case 'schema':
      printDocument(`${JSON.stringify(command.of === 'plan' ? planJsonSchema : resultJsonSchema(), null, 2)}\n`);
      return 0;
    case 'preflight':
      return preflightCommand(command, installation());
    case 'estimate':
      return estimateCommand(command, installation());
    case 'probe':
      return probeCommand(command, installation());
    case 'remove-agent':
      return removeAgentCommand(command, installation());
    case 'kubernetes role':
    case 'kubernetes manifest':
    case 'kubernetes check':
      return kubernetesCommand(command, installation());
    case 'cleanup':
      return cleanupCommand(command);
    case 'history':
      return historyCommand(command);
    case 'import-prometheus':
      return importCommand(command, installation());
    case 'grafana':
      return grafanaCommand(command);
    case 'report':
      return reportCommand(command, installation());
    case 'snapshot':
      return snapshotCommand(command, installation());
    case 'compare':
      return compareCommand(command, installation());
    case 'tag':
      return tagCommand(command, installation());
    case 'baseline':
      return baselineCommand(command, installation());
    case 'sample':
      return sampleCommand(command);
    case 'fidelity':
      return fidelityCommand(command, installation());
    case 'completion':
      printDocument(completion(command.shell));
      return 0;
    case 'show':
      return showCommand(command, installation());
  }
}

async function main(onOutputLost: () => void): Promise<number> {
  ignoreClosedOutputs((error) => {
    printStatus(`The result can't be written to standard output: ${reasonOf(error)}.`);
    onOutputLost();
  });
  sweepTempFolders();
  try {
    const { args, warnings } = currentOptions(process.argv.slice(2));
    warnings.forEach(printStatus);
    const command = parseCommand(args);
    if (isVerbose(args)) setVerbose();
    return await act(command);
  } catch (error) {
    printStatus(errorText(error));
    if (error instanceof UsageError)
      printStatus(`See: fullhouse ${error.command ? `help ${error.command}` : '--help'}`);
    return error instanceof StoppedBySignal ? exitCodes.stopped : exitCodes.notStarted;
  }
}

let isOutputLost = false;
/** The failure of an output may be known before the command has ended, or after. */
const setExitCode = (code: number): void => {
  process.exitCode = isOutputLost ? worstCode([code, exitCodes.notStarted]) : code;
};
void main(() => {
  isOutputLost = true;
  setExitCode(exitCodes.notStarted);
}).then(setExitCode);
