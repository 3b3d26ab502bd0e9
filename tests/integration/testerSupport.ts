import { join } from 'node:path';
import type { Plan } from '../../src/domain/model/plan';
import type { RunView } from '../../src/domain/model/run';
import type { EngineOptions } from '../../src/engine';
import { trustKey } from './fleetSupport';
import { startSshd, type Sshd, type SshdOptions } from './servers/sshd';
import {
  agentFolder,
  ended,
  engineInTemporaryFolder,
  later,
  planOf,
  viewerPageFolder,
  type TestEngine,
} from './support';

const tester = (sshd: Sshd) => ({ tester: 'ssh', ssh: sshd.address, keyFile: sshd.keyFile }) as const;

export interface Bench {
  readonly engine: TestEngine;
  readonly sshd: Sshd;
  /** Runs a small audience there; resolves with the ended run. */
  play(viewers?: number, holdMs?: number): Promise<RunView>;
}

/** A tester behind a real sshd, known to an engine that trusts its key. */
export async function bench(options: SshdOptions = {}): Promise<Bench> {
  const sshd = await startSshd({ temporaryUser: true, ...options });
  later(() => sshd.stop());
  const engine = await engineWithTester(sshd);
  return { engine, sshd, play: (viewers, holdMs) => play(engine, sshd, viewers, holdMs) };
}

export async function engineWithTester(
  sshd: Sshd,
  agents = agentFolder,
  options: Partial<EngineOptions> = {},
): Promise<TestEngine> {
  const engine = engineInTemporaryFolder({
    sshFolder: join(sshd.folder, 'no-such-folder'),
    agentFolder: agents,
    viewerPageFolder,
    ...options,
  });
  await engine.client.call('nodes.add', { name: 'tester-1', settings: tester(sshd), secrets: {} });
  await trustKey(engine, 'tester-1');
  return engine;
}

export const planFor = (sshd: Sshd, viewers: number, holdMs: number): Plan =>
  planOf({ by: ['tester-1'], viewers, holdMs }, { nodes: { origin: { server: 'lab' }, 'tester-1': tester(sshd) } });

export async function play(engine: TestEngine, sshd: Sshd, viewers = 5, holdMs = 1000): Promise<RunView> {
  const end = ended(engine);
  await engine.client.call('runs.start', { plan: planFor(sshd, viewers, holdMs) });
  return end;
}
