import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/domain/model/plan';
import type { RunView } from '../../src/domain/model/run';
import { FullhouseError } from '../../src/contract/calls';
import { cleanUp, engineInTemporaryFolder, later, planOf, waitForRun, temporaryFolder } from './support';

afterEach(cleanUp);

const short = (over: Partial<Plan>): Plan => planOf({ viewers: 5, ratePerSecond: 20, holdMs: 500 }, over);

/** Times, cancelling and steps of the clock are tested in virtual time (src/engine/schedule/schedules.test.ts). */
describe('a plan with a schedule', () => {
  it('starts automatically, as often as scheduled, one run after the other', async () => {
    const engine = engineInTemporaryFolder();
    const ended: RunView[] = [];
    engine.client.on('run', (run) => {
      if (run?.state === 'ended' && !ended.some(({ id }) => id === run.id)) ended.push(run);
    });
    const view = await engine.client.call('schedules.add', {
      plan: short({ schedule: { repeat: 2, everyMs: 1000, atMs: Date.now() + 300 } }),
    });
    expect(view).toMatchObject({ runs: 2, done: 0, state: 'waiting' });
    await new Promise<void>((resolve) =>
      engine.client.on('schedules', (all) => {
        if (all.length === 0) resolve();
      }),
    );
    expect(ended.map(({ name }) => name)).toEqual(['Integration (1 of 2)', 'Integration (2 of 2)']);
    expect(ended[1]?.startedMs).toBeGreaterThanOrEqual((ended[0]?.endedMs ?? 0) - 1);
    expect(await engine.client.call('schedules.list', {})).toEqual([]);
  });
});

describe('a plan with hooks', () => {
  it('is refused until its hooks are allowed', async () => {
    const engine = engineInTemporaryFolder();
    const plan = short({ hooks: [{ at: 'end', run: ['touch', 'x'] }] });
    await expect(engine.client.call('runs.start', { plan })).rejects.toSatisfy(
      (error) =>
        error instanceof FullhouseError &&
        error.code === 'hooks-not-allowed' &&
        error.message.includes('at end: run "touch" "x" on this machine'),
    );
  });

  it('calls a program and a URL, without a shell and without secrets', async () => {
    process.env['FULLHOUSE_X_SSH_PASSWORD'] = 'not for you';
    later(() => void delete process.env['FULLHOUSE_X_SSH_PASSWORD']);
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    later(() => void server.close());
    const { port } = server.address() as { port: number };
    const file = join(temporaryFolder(), 'received');
    const script = `require('fs').writeFileSync(process.argv[1], JSON.stringify([process.argv[2], process.env]))`;
    const engine = engineInTemporaryFolder();
    const plan = short({
      hooks: [
        { at: 'start', post: `http://127.0.0.1:${port}/` },
        { at: 'end', run: [process.execPath, '-e', script, file, '$HOME; rm -rf x'] },
        { at: 'full', run: ['there-is-no-such-program'] },
      ],
    });
    await engine.client.call('runs.start', { plan, allowHooks: true });
    await waitForRun(engine, (run) => run.state === 'ended');
    expect(JSON.parse(bodies[0] ?? '{}')).toMatchObject({ at: 'start', run: { name: 'Integration' } });
    expect(existsSync(file)).toBe(true);
    const [argument, env] = JSON.parse(readFileSync(file, 'utf8')) as [string, Record<string, string>];
    expect(argument).toBe('$HOME; rm -rf x');
    expect(env['FULLHOUSE_VERDICT']).toBe('pass');
    expect(env['FULLHOUSE_X_SSH_PASSWORD']).toBeUndefined();
    const sentences = engine.events.map(({ sentence }) => sentence).join('\n');
    expect(sentences).toContain('Hook at full: there-is-no-such-program failed: the program does not exist.');
    expect(sentences).toMatch(/Hook at start: POST to 127\.0\.0\.1:\d+ done/);
  });
});
