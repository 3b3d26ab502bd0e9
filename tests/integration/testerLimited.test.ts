import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Expectations, Plan } from '../../src/domain/plan/plan';
import type { RunView } from '../../src/domain/run';
import { openRunLibrary } from '../../src/engine/store';
import { occupy, poorAgents } from './poorTester';
import { cleanUp, ended, engineInTemporaryFolder, planOf, type TestEngine } from './support';

afterEach(cleanUp);

const connected = { connected: { comparison: '>=', value: 100 } } as const;
const connectedAndWell = { ...connected, degraded: { comparison: '<=', value: 0 } } as const;

async function play(
  engine: TestEngine,
  pull: Partial<Plan['pull']>,
  expectations: Expectations = connectedAndWell,
): Promise<RunView> {
  const end = ended(engine);
  await engine.client.call('runs.start', { plan: planOf(pull, { expect: expectations }) });
  return end;
}

/** The agent that plays the audience; its command line says so. */
function audiencePid(engine: TestEngine): number {
  const found = engine
    .agentPids()
    .find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0audience\0'));
  if (found === undefined) throw new Error('No audience runs.');
  return found;
}

describe.runIf(process.platform === 'linux')('a tester that is too poor for its audience', () => {
  it('says before the run how many viewers its open files are good for', async () => {
    const engine = engineInTemporaryFolder({ agentFolder: poorAgents({ limits: 'ulimit -n 300' }) });
    const view = await play(engine, { viewers: 60 });
    const sentence =
      'audience was at its own limit: it can play at most 44 viewers and was to play 60 viewers.';
    expect(view.verdict).toMatchObject({
      verdict: 'inconclusive',
      reasons: [{ node: 'audience', sentence }],
    });
    expect(view.testerLimits).toMatchObject([{ node: 'audience', kind: 'open-files', sentence }]);
    expect(view.nodes.find(({ id }) => id === 'audience')).toMatchObject({ viewerLimit: 44 });
  });

  it('takes the blame for viewers that it had no open file left for', async () => {
    const engine = engineInTemporaryFolder();
    await play(engine, { viewers: 2, holdMs: 1000 });
    // Its limit is lowered while it runs, so that it can't know better beforehand.
    execFileSync('prlimit', ['--pid', String(audiencePid(engine)), '--nofile=40:40']);
    // How well the few others watched depends on what else the machine does.
    const view = await play(engine, { viewers: 60, ratePerSecond: 30, holdMs: 3000 }, connected);
    const failed = view.failures.find(({ cause }) => cause === 'tester-open-files');
    expect(failed).toMatchObject({ tester: 'audience' });
    expect(failed?.count).toBeGreaterThan(10);
    expect(failed?.example.detail).toContain('ulimit -n');
    expect(view.testerLimits).toContainEqual(expect.objectContaining({ kind: 'open-files' }));
    expect(view.verdict?.verdict).toBe('inconclusive');
    expect(view.verdict?.reasons[0]?.sentence).toMatch(
      /^audience was at its own limit: \d+ viewers failed because it had no open file left for them at /,
    );
  });

  it('is marked where its reading thread gets no processor, and its viewers are no witnesses', async () => {
    const engine = engineInTemporaryFolder({ agentFolder: poorAgents({ under: 'taskset -c 0 nice -n 19' }) });
    // So many that its share is too little even for viewers as cheap as ours.
    occupy(0, 60, 20);
    const view = await play(engine, { viewers: 250, ratePerSecond: 100, holdMs: 4000 });
    expect(view.testerLimits).toContainEqual(expect.objectContaining({ node: 'audience', kind: 'cpu' }));
    expect(view.verdict?.verdict).toBe('inconclusive');
    // Where the loops are a large part of the whole machine, it is this one's being busy that is told first.
    const reasons = view.verdict?.reasons ?? [];
    expect(['machine', 'tester']).toContain(reasons[0]?.causedBy);
    expect(view.verdict?.sentence).toMatch(
      /it can't be judged: (audience was at its own limit|this machine was busy): /,
    );
    const sentence = expect.stringMatching(
      /^audience was at its own limit: its reading thread waited for a processor for [\d.]+ % of 5 s, on a machine that it shares with origin, at /,
    ) as string;
    expect(reasons).toContainEqual(expect.objectContaining({ causedBy: 'tester', sentence }));
    const marks = engine.events.filter(({ sentence }) => sentence.startsWith('Tester-limited: '));
    expect(marks[0]).toMatchObject({ node: 'audience', mark: 'limit' });
    const reader = openRunLibrary(engine.folder).open(view.id);
    try {
      expect(reader.view().testerLimits).toEqual(view.testerLimits);
      expect(Math.max(...reader.values('audience', 'testerReaderWaitPercent').value)).toBeGreaterThan(20);
    } finally {
      reader.close();
    }
  });
});
