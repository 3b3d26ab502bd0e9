import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gateTo } from '../../integration/fleetSupport';
import { startNginxRtmp } from '../../integration/servers/nginxRtmp';
import { makeTwoHosts } from '../../integration/servers/twoHosts';
import { startLabOn } from '../../integration/servers/labOn';
import { startRun } from '../consoles';
import { pause, settledMs, type Fault } from '../fault';
import { leftoversOf, portsNow } from '../leftovers';
import { planOf, viewers } from '../plans';
import { recordedIn } from '../recorded';
import { startTester } from '../testers';

const cutSeconds = 60;

/** Connections that break. */
export const network: readonly Fault[] = [
  {
    name: `SSH link cut for ${cutSeconds} s`,
    sentence: /audience: (The agent on .* has not responded for .*)/,
    exit: 0,
    play: async (drill) => {
      const hosts = makeTwoHosts();
      drill.later(() => hosts.remove());
      const { namespace, address } = hosts.origin;
      const commandPrefix = ['ip', 'netns', 'exec', hosts.console.namespace];
      const tester = await startTester(drill, { network: { namespace, address }, commandPrefix });
      const lab = await startLabOn(hosts.origin);
      drill.later(() => lab.end());
      const origin = `{ server: generic, whep: "http://${lab.http}/whep/{stream}", whip: "http://${lab.http}/whip/{stream}" }`;
      const pull = `protocol: whep, viewers: ${viewers}, hold: ${cutSeconds + 25}s`;
      const run = startRun(drill, planOf(origin, tester.node, 'audience', pull), {
        args: tester.trust,
        under: commandPrefix,
      });
      await run.prints(`All ${viewers} viewers connected`);
      await pause(settledMs);
      const ports = portsNow(drill);
      hosts.cut();
      await pause(cutSeconds * 1000);
      hosts.restore();
      const exit = await run.exited;
      return {
        ...{ shown: run.output(), exit },
        recorded: recordedIn(drill, 'audience'),
        leftovers: await tester.leftovers(ports, { networksOf: [tester.sshd.pid] }),
      };
    },
  },
  {
    name: 'API of the server gone',
    sentence: /origin: (.*nothing listens.*)/i,
    exit: 0,
    play: async (drill) => {
      const folder = mkdtempSync(join(tmpdir(), 'fullhouse-nginx-'));
      drill.later(() => rmSync(folder, { recursive: true, force: true }));
      const nginx = await startNginxRtmp(folder);
      drill.later(() => nginx.end());
      const gate = await gateTo(nginx.url);
      const origin = `{ server: nginx-rtmp, url: "${gate.url}", rtmp: "${nginx.rtmp}" }`;
      const plan = planOf(origin, '{ tester: local }', 'audience', `protocol: rtmp, viewers: ${viewers}, hold: 20s`);
      const run = startRun(drill, plan);
      await run.prints(`All ${viewers} viewers connected`);
      await pause(settledMs);
      const ports = portsNow(drill);
      await gate.shut();
      const exit = await run.exited;
      return {
        ...{ shown: run.output(), exit },
        recorded: recordedIn(drill, 'audience'),
        leftovers: await leftoversOf(drill, ports),
      };
    },
  },
];
