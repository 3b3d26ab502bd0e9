import { startRun } from '../consoles';
import { pause, settledMs, type Fault } from '../fault';
import { leftoversOf, portsNow } from '../leftovers';
import { labPlan, viewers } from '../plans';
import { agentOf, markedProcesses, signal, type DrillProcess } from '../processes';
import { recordedIn } from '../recorded';
import type { Drill } from '../drill';

/** Suspends processes for some seconds, as SIGSTOP, a debugger or a sleeping machine does. */
function suspended(
  fault: Omit<Fault, 'play'> & {
    readonly seconds: number;
    readonly which: (drill: Drill) => readonly DrillProcess[];
  },
): Fault {
  const { seconds, which, ...rest } = fault;
  return {
    ...rest,
    play: async (drill) => {
      const run = startRun(drill, labPlan({ holdSeconds: seconds + 15 }));
      await run.prints(`All ${viewers} viewers connected`);
      await pause(settledMs);
      const ports = portsNow(drill);
      const processes = which(drill);
      const fromMs = Date.now();
      signal(processes, 'SIGSTOP');
      await pause(seconds * 1000);
      const toMs = Date.now();
      signal(processes, 'SIGCONT');
      const exit = await run.exited;
      return {
        ...{ shown: run.output(), exit },
        recorded: recordedIn(drill, 'audience', rest.gapSeconds === undefined ? undefined : { fromMs, toMs }),
        leftovers: await leftoversOf(drill, ports),
      };
    },
  };
}

/** Processes that do not run for a while. */
export const suspensions: readonly Fault[] = [
  suspended({
    name: 'audience agent stopped for 15 s',
    sentence: /audience: (.*did not run for .*)/,
    exit: 0,
    ...{ seconds: 15, gapSeconds: 15 },
    which: ({ mark }) => [agentOf(mark, 'audience')],
  }),
  suspended({
    name: 'lab stopped for 15 s',
    sentence: /audience: (Viewer \d+ failed at media: media stopped during playback.*)/,
    // Viewers without media fail after 10 s.
    exit: 1,
    seconds: 15,
    which: ({ mark }) => [agentOf(mark, 'lab')],
  }),
  suspended({
    name: 'machine asleep for 60 s',
    sentence: /run: (This console did not run for .*)/,
    exit: 0,
    ...{ seconds: 60, gapSeconds: 60 },
    which: ({ mark }) => markedProcesses(mark),
  }),
];
