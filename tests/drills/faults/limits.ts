import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localAgentBinary } from '../../../src/engine/links/localAgent';
import { agentFolder } from '../../integration/support';
import { startRun } from '../consoles';
import type { Drill } from '../drill';
import { soon, type Fault, type Played } from '../fault';
import { installationWith } from '../installation';
import { leftoversOf, portsNow } from '../leftovers';
import { labPlan } from '../plans';
import { agentOf, markedProcesses, type DrillProcess } from '../processes';
import { recordedIn } from '../recorded';
import { startTester } from '../testers';

/** A run whose audience agent may open fewer files than its viewers need; that is not known before the run. */
async function withFewFiles(drill: Drill): Promise<Played> {
  const run = startRun(drill, labPlan({ holdSeconds: 10 }));
  const isAgent = ({ name }: DrillProcess): boolean => name.endsWith('fullhouse-agent audience');
  await soon(() => markedProcesses(drill.mark).some(isAgent), 60_000);
  execFileSync('prlimit', ['--pid', String(agentOf(drill.mark, 'audience').pid), '--nofile=150:150']);
  const ports = portsNow(drill);
  const exit = await run.exited;
  return {
    ...{ shown: run.output(), exit },
    recorded: recordedIn(drill, 'audience'),
    leftovers: await leftoversOf(drill, ports),
  };
}

/** The agent of this clone, whose audience has too little memory to start. */
function buildWithoutMemory(program: string): Promise<{ readonly version: string }> {
  const agent = localAgentBinary(agentFolder);
  writeFileSync(program, `#!/bin/sh\n[ "$1" = audience ] && ulimit -v 60000\nexec '${agent}' "$@"\n`);
  chmodSync(program, 0o755);
  return Promise.resolve({ version: 'without-memory' });
}

/** Resources of a tester that run out. */
export const limits: readonly Fault[] = [
  {
    name: 'too few open files on the tester',
    sentence: /(audience was at its own limit: \d+ viewers failed because it ran out of open files.*?\.) \(/,
    exit: 3,
    play: withFewFiles,
  },
  {
    name: 'too little memory on the tester',
    sentence: /The run could not be started: (The audience agent crashed .*memory.*)/,
    ...{ exit: 2, isRefused: true },
    play: async (drill) => {
      const run = startRun(drill, labPlan(), { cli: await installationWith(buildWithoutMemory) });
      const exit = await run.exited;
      return { shown: run.output(), exit, leftovers: await leftoversOf(drill, new Map()) };
    },
  },
  {
    name: 'too few threads on the tester',
    sentence: /audience: (audience can't start another process.*)/,
    ...{ exit: 2, isRefused: true },
    play: async (drill) => {
      const shell = join(drill.folder, 'limited-shell');
      const setLimit = (line: string): void => writeFileSync(shell, `#!/bin/bash\n${line}\nexec /bin/bash "$@"\n`);
      setLimit('ulimit -u 1');
      chmodSync(shell, 0o755);
      chmodSync(drill.folder, 0o755);
      const tester = await startTester(drill, { shell });
      const run = startRun(drill, labPlan({ audience: tester.node }), { args: tester.trust });
      const exit = await run.exited;
      // Uninstalling needs processes too.
      setLimit(':');
      return {
        shown: run.output(),
        exit,
        leftovers: await tester.leftovers(new Map(), { allowed: [/^limited-shell$/] }),
      };
    },
  },
];
