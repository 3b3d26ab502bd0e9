import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRun } from '../consoles';
import { pause, settledMs, type Fault } from '../fault';
import { installationWith } from '../installation';
import { leftoversOf, portsNow } from '../leftovers';
import { labPlan, viewers } from '../plans';
import { recordedIn } from '../recorded';
import { buildSteppedAgent, clockVariable } from '../steppedAgent';

/** Debian's faketime sets the clock of Node only; its monotonic clock is unchanged. */
function faketimeOf(file: string): NodeJS.ProcessEnv {
  const library = ['x86_64', 'aarch64']
    .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
    .find(existsSync);
  if (library === undefined) throw new Error('libfaketime is missing; npm test installs it (the package faketime).');
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

/** Sets the clocks of console and agents, of these processes only. */
const clockStep = (seconds: number, name: string, sentence: RegExp): Fault => ({
  ...{ name, sentence, exit: 0 },
  play: async (drill) => {
    const ofEngine = join(drill.folder, 'engine.clock');
    const ofAgents = join(drill.folder, 'agents.clock');
    writeFileSync(ofEngine, '+0\n');
    writeFileSync(ofAgents, '0\n');
    const run = startRun(drill, labPlan(), {
      cli: await installationWith(buildSteppedAgent),
      env: { [clockVariable]: ofAgents, ...faketimeOf(ofEngine) },
    });
    await run.prints(`All ${viewers} viewers connected`);
    await pause(settledMs);
    const ports = portsNow(drill);
    writeFileSync(ofAgents, `${seconds}\n`);
    writeFileSync(ofEngine, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    const exit = await run.exited;
    return {
      ...{ shown: run.output(), exit },
      recorded: recordedIn(drill, 'audience'),
      leftovers: await leftoversOf(drill, ports, { allowed: [/^\w+\.clock$/] }),
    };
  },
});

/** Clocks that are set during a run. */
export const clockSteps: readonly Fault[] = [
  clockStep(3600, 'clock set forward by 1 h', /run: (The clock of this machine was set forward by 3,600 s.*)/),
  clockStep(-3600, 'clock set back by 1 h', /run: (The clock of this machine was set back by 3,600 s.*)/),
];
