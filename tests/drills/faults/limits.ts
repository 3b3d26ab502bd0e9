import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRun } from '../consoles';
import type { Drill } from '../drill';
import { soon, type Fault, type Played } from '../fault';
import { leftoversOf, portsNow } from '../leftovers';
import { labPlan } from '../plans';
import { agentOf, markedProcesses, type DrillProcess } from '../processes';
import { recordedIn } from '../recorded';
import { startTester } from '../testers';

/** A run whose audience agent gets a limit after its start: too low for its viewers, and unknown before the run. */
async function limited(drill: Drill, limitOf: (agent: DrillProcess) => string): Promise<Played> {
  const run = startRun(drill, labPlan({ holdSeconds: 10 }));
  const isAgent = ({ name }: DrillProcess): boolean => name.endsWith('fullhouse-agent audience');
  await soon(() => markedProcesses(drill.mark).some(isAgent), 60_000);
  const agent = agentOf(drill.mark, 'audience');
  execFileSync('prlimit', ['--pid', String(agent.pid), limitOf(agent)]);
  const ports = portsNow(drill);
  const exit = await run.exited;
  return {
    ...{ shown: run.output(), exit },
    recorded: recordedIn(drill, 'audience'),
    leftovers: await leftoversOf(drill, ports),
  };
}

/** Address space of a process, in bytes. */
function addressSpace({ pid }: DrillProcess): number {
  const [, kilobytes] = /^VmSize:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Resources of a tester that run out. */
export const limits: readonly Fault[] = [
  {
    name: 'too few open files on the tester',
    sentence: /(audience was at its own limit: \d+ viewers failed because it ran out of open files.*?\.) \(/,
    exit: 1,
    play: (drill) => limited(drill, () => '--nofile=150:150'),
  },
  {
    name: 'too little memory on the tester',
    sentence: /The run could not be started: (local is not running\. The audience agent crashed .*memory.*)/,
    exit: 2,
    play: (drill) => limited(drill, (agent) => `--as=${addressSpace(agent) / 2}`),
  },
  {
    name: 'too few threads on the tester',
    sentence: /(The agent failed to start on .*|.*can't start another process.*)/,
    ...{ exit: 2, isRefused: true },
    play: async (drill) => {
      const shell = join(drill.folder, 'limited-shell');
      const setLimit = (line: string): void => writeFileSync(shell, `#!/bin/bash\n${line}\nexec /bin/bash "$@"\n`);
      setLimit('ulimit -u 6');
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
