import { startRun } from '../consoles';
import type { Drill } from '../drill';
import { pause, settledMs, type Fault, type Played } from '../fault';
import { installationWith } from '../installation';
import { portsNow } from '../leftovers';
import { buildOtherVersion } from '../otherVersion';
import { labPlan, viewers } from '../plans';
import { agentOf, signal } from '../processes';
import { recordedIn } from '../recorded';
import { startTester, type DrillTester } from '../testers';
import { join } from 'node:path';

/** How long an sshd is gone. */
const sshdGoneMs = 8000;

/** A run with a tester behind SSH, to which something happens. */
async function runOn(drill: Drill, happen: (tester: DrillTester) => Promise<void>): Promise<Played> {
  const tester = await startTester(drill);
  const run = startRun(drill, labPlan({ audience: tester.node, holdSeconds: 25 }), { args: tester.trust });
  await run.prints(`All ${viewers} viewers connected`);
  await pause(settledMs);
  const ports = portsNow(drill);
  await happen(tester);
  const exit = await run.exited;
  return {
    ...{ shown: run.output(), exit },
    recorded: recordedIn(drill, 'audience'),
    leftovers: await tester.leftovers(ports),
  };
}

/** Testers behind SSH. */
export const testerFaults: readonly Fault[] = [
  {
    name: 'agent of an SSH tester killed',
    sentence: /audience: (The agent on .* has ended.*)/,
    exit: 3,
    play: (drill) =>
      runOn(drill, () => {
        signal([agentOf(drill.mark, 'audience')], 'SIGKILL');
        return Promise.resolve();
      }),
  },
  {
    name: 'sshd of an SSH tester killed',
    sentence: /audience: (The SSH connection to .* broke.*)/,
    exit: 0,
    play: (drill) =>
      runOn(drill, async ({ sshd }) => {
        await sshd.stopListening();
        sshd.cut();
        await pause(sshdGoneMs);
        await sshd.listenAgain();
      }),
  },
  {
    name: 'two consoles on one tester',
    sentence: /audience: (.*viewers of another console.*)/,
    exit: 0,
    play: async (drill) => {
      const tester = await startTester(drill);
      const count = viewers / 2;
      // Long enough for the second one to start meanwhile, on a busy machine too.
      const plan = (holdSeconds: number): string => labPlan({ audience: tester.node, holdSeconds, count });
      const first = startRun(drill, plan(60), { name: 'first', args: tester.trust });
      await first.prints(`All ${count} viewers connected`);
      const second = startRun(drill, plan(10), { name: 'second', args: tester.trust });
      await second.prints(`All ${count} viewers connected`);
      const ports = portsNow(drill);
      const exits = await Promise.all([first.exited, second.exited]);
      const recorded = ['first', 'second'].map((name) => recordedIn({ folder: join(drill.folder, name) }, 'audience'));
      return {
        ...{ shown: second.output(), exit: Math.max(...exits) },
        recorded: {
          ...{ invented: 0, gapSeconds: 0, firstMs: 0, lastMs: 0 },
          lost: recorded.reduce((sum, { lost }) => sum + lost, 0),
          // Neither counts the other's viewers.
          peak: recorded.every(({ peak }) => peak === count) ? viewers : 0,
        },
        leftovers: await tester.leftovers(ports),
      };
    },
  },
  {
    name: 'agent of another version with viewers',
    sentence: /(The agent failed to start on .*version.*)/,
    exit: 2,
    play: async (drill) => {
      const tester = await startTester(drill);
      const plan = labPlan({ audience: tester.node, holdSeconds: 600 });
      const first = startRun(drill, plan, { name: 'first', args: tester.trust });
      await first.prints(`All ${viewers} viewers connected`);
      const ports = portsNow(drill);
      const cli = await installationWith(buildOtherVersion);
      const second = startRun(drill, plan, { name: 'second', args: tester.trust, cli });
      const exit = await second.exited;
      first.kill('SIGINT');
      await first.exited;
      if (!first.output().includes('STOPPED')) throw new Error(`The first console was affected: ${first.output()}`);
      return {
        ...{ shown: second.output(), exit },
        recorded: recordedIn({ folder: join(drill.folder, 'first') }, 'audience'),
        leftovers: await tester.leftovers(ports),
      };
    },
  },
];
