import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ignoreClosedOutputs } from '../engine/base/closedOutputs';
import { sweepTempFolders } from '../engine/base/tempFolder';
import { errorText } from '../domain/text/errorText';
import { readersByFork } from '../engine/savedRuns/startReader';
import { reasonOf } from '../engine/store/failure';
import { currentOptions, isVerbose, parseCommand, UsageError } from './args';
import { commands } from './commands/table';
import { exitCodes, worstCode } from './exitCodes';
import type { Installation } from './installation';
import { print, printStatus, setVerbose } from './print';
import { StoppedBySignal } from './stopSignals';

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

async function main(onOutputLost: () => void): Promise<number> {
  ignoreClosedOutputs((error) => {
    printStatus(`The result can't be written to standard output: ${reasonOf(error)}.`);
    onOutputLost();
  });
  sweepTempFolders();
  try {
    const { args, warnings } = currentOptions(process.argv.slice(2));
    warnings.forEach(printStatus);
    const typed = parseCommand(args);
    if (isVerbose(args)) setVerbose();
    if (typed === 'version') print(version());
    return typed === 'version' ? exitCodes.pass : await typed.run(installation(), commands);
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
