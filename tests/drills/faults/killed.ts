import { openRunLibrary } from '../../../src/engine/store';
import { runCommand, startRun } from '../consoles';
import { pause, settledMs, type Fault } from '../fault';
import { leftoversOf, portsNow } from '../leftovers';
import { labPlan, viewers } from '../plans';
import { agentOf, signal } from '../processes';
import { recordedIn, runFileIn } from '../recorded';

/** `kill -9` of the agent in a role; the run goes on without it. */
const killedAgent = (role: 'audience' | 'lab', sentence: RegExp): Fault => ({
  name: `${role === 'lab' ? 'lab' : 'audience agent'} killed`,
  sentence,
  // Without its tester the run proves nothing about the server.
  exit: role === 'lab' ? 1 : 3,
  play: async (drill) => {
    const run = startRun(drill, labPlan());
    await run.prints(`All ${viewers} viewers connected`);
    await pause(settledMs);
    const ports = portsNow(drill);
    signal([agentOf(drill.mark, role)], 'SIGKILL');
    const exit = await run.exited;
    return {
      ...{ shown: run.output(), exit },
      recorded: recordedIn(drill, 'audience'),
      leftovers: await leftoversOf(drill, ports),
    };
  },
});

/** Programs of this machine that are killed. */
export const killed: readonly Fault[] = [
  {
    name: 'command line killed',
    sentence: /INTERRUPTED +(.*)/,
    exit: 137,
    play: async (drill) => {
      const run = startRun(drill, labPlan({ holdSeconds: 600 }));
      await run.prints(`All ${viewers} viewers connected`);
      await pause(settledMs);
      const ports = portsNow(drill);
      const killedMs = Date.now();
      run.kill('SIGKILL');
      const exit = await run.exited;
      const { output } = await runCommand(drill, ['show', runFileIn(drill.out)]);
      // The next console that lists the runs completes the file.
      openRunLibrary(drill.out).list();
      return {
        ...{ shown: output, exit, killedMs },
        recorded: recordedIn(drill, 'audience'),
        leftovers: await leftoversOf(drill, ports),
      };
    },
  },
  killedAgent('audience', /audience: (The audience agent was ended by SIGKILL.*)/),
  killedAgent('lab', /1\. (origin stopped responding .*) \(expected/),
];
