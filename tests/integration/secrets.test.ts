import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { inflateRawSync, inflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parsePlan } from '../../src/domain/plan/planYaml';
import { startEchoServer } from '../standins/echoServer';
import { cleanUp, cli, ended, engineInTemporaryFolder, later, temporaryFolder } from './support';

/** Each in another place of the plan; none may occur in any text that leaves the engine. */
const planted = {
  literalToken: 'PLt0ken/One=x7',
  literalUser: 'PLus3rPass99',
  literalMetrics: 'PLm3tricsKey5',
  literalHook: 'PLh00kToken31',
  envToken: 'PLenv/T0ken+8',
  envPassword: 'PLhttp:P4ss"word',
  envArgument: 'PLargument77',
  namedSecret: 'PLnamed&S3cret',
} as const;
const variables = {
  PLANT_TOKEN: planted.envToken,
  PLANT_PASSWORD: planted.envPassword,
  PLANT_ARGUMENT: planted.envArgument,
  FULLHOUSE_SECRET_PLANTED: planted.namedSecret,
};

const encoded = encodeURIComponent;
function planText(port: number): string {
  const at = `127.0.0.1:${port}`;
  return `name: Planted
nodes:
  origin:
    server: generic
    url: "http://${at}"
    user: me
    httpPassword: $env:PLANT_PASSWORD
    whep: "http://me:${planted.literalUser}@${at}/whep/{stream}?token=${encoded(planted.literalToken)}&v=$env:PLANT_TOKEN&w=$secret:PLANTED"
    metrics: "http://${at}/metrics?key=${planted.literalMetrics}"
  audience: { tester: local }
pull: { stream: cam, from: origin, by: [audience], protocol: whep, viewers: 6, rate: 20/s, hold: 1s }
hooks:
  - { at: start, post: "http://${at}/hook?token=${planted.literalHook}" }
  - { at: end, run: ["${process.execPath}", "-e", "console.error('bad', process.argv[1]); process.exit(3)", $env:PLANT_ARGUMENT] }
`;
}

/** Every form in which a secret still occurs in a text. */
function leftIn(text: string): string[] {
  const lower = text.toLowerCase();
  return Object.entries(planted).flatMap(([name, secret]) =>
    [
      secret,
      encoded(secret),
      encoded(encoded(secret)),
      JSON.stringify(secret).slice(1, -1),
      secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
      // The first and last characters of base64 depend on adjacent bytes.
      ...[0, 1, 2].map((before) =>
        Buffer.from(`${'x'.repeat(before)}${secret}`)
          .toString('base64')
          .slice(before === 0 ? 0 : before + 1, -4),
      ),
    ].flatMap((form) => (lower.includes(form.toLowerCase()) ? [`${name} as ${form}`] : [])),
  );
}

/** The complete content of a run file: its bytes, its texts, and its packed data. */
function textsOf(runFile: string): string {
  const database = new Database(runFile, { readonly: true });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as {
    name: string;
  }[];
  const texts = [readFileSync(runFile).toString('latin1')];
  for (const { name } of tables)
    for (const row of database.prepare(`SELECT * FROM "${name}"`).all() as Record<string, unknown>[])
      for (const value of Object.values(row)) {
        if (!Buffer.isBuffer(value)) texts.push(String(value));
        else
          for (const unpack of [inflateSync, inflateRawSync])
            try {
              texts.push(unpack(value).toString('latin1'));
            } catch {
              // not packed in this way
            }
      }
  database.close();
  return texts.join('\n');
}

let server: Awaited<ReturnType<typeof startEchoServer>>;
beforeEach(async () => {
  server = await startEchoServer();
  later(() => server.close());
});
afterEach(cleanUp);

function fullhouse(cwd: string, ...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [cli, ...args], { cwd, env: { ...process.env, ...variables } });
  later(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

describe('secrets in a plan', () => {
  it('reach the server, and no output of the command line', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'plan.yaml'), planText(server.port));
    const run = await fullhouse(
      folder,
      ...['run', 'plan.yaml', '--json', '--allow-hooks', '--junit', 'ci.xml', '--markdown', 'ci.md'],
    );
    expect(run.code).toBe(1);
    const asked = server.asked.join('\n');
    expect(asked).toContain(`token=${encoded(planted.literalToken)}&v=${planted.envToken}&w=${planted.namedSecret}`);
    expect(asked).toContain(`me:${planted.envPassword}`);
    expect(asked).toContain(planted.literalHook);
    expect(run.stderr).toMatch(/nodes\.origin\.whep.*contains a secret.*\$env:/);
    expect(run.stderr.match(/contains a secret/g)).toHaveLength(1);

    const { runFile } = JSON.parse(run.stdout.trim().split('\n').pop() ?? '') as { runFile: string };
    const id = runFile.replace(/^.*\/|\.fullhouse$/g, '');
    const said: Record<string, string> = {
      stdout: run.stdout,
      stderr: run.stderr,
      'run file': textsOf(runFile),
    };
    expect(said['run file']).toContain('token=•••&v=$env:PLANT_TOKEN&w=$secret:PLANTED');
    expect(said['run file']).toMatch(/401/);
    // The run itself wrote HTML, JUnit and Markdown.
    await Promise.all(
      [
        ['show', runFile, '--json'],
        ['report', runFile, '--format', 'csv'],
        ['snapshot', id, '--out', 'snapshot.fullhouse'],
        ['preflight', 'plan.yaml'],
        ['probe', `http://127.0.0.1:${server.port}/whep/cam?token=${planted.literalToken}`],
      ].map(async (args) => {
        const { stdout, stderr } = await fullhouse(folder, ...args);
        said[args.join(' ')] = `${stdout}\n${stderr}`;
      }),
    );
    for (const each of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, each);
      if (each === 'plan.yaml' || !statSync(path).isFile()) continue;
      said[each] = each.endsWith('.fullhouse') ? textsOf(path) : readFileSync(path, 'utf8');
    }
    expect(Object.keys(said).filter((name) => /\.(html|xml|md|csv|fullhouse)$/.test(name)).length).toBeGreaterThan(6);
    const leaks = Object.entries(said).flatMap(([where, text]) => leftIn(text).map((what) => `${where}: ${what}`));
    expect(leaks).toEqual([]);
  });

  it('reach no event and no response of the engine', async () => {
    const engine = engineInTemporaryFolder({ variables });
    process.env['FULLHOUSE_SECRET_PLANTED'] = planted.namedSecret;
    later(() => void delete process.env['FULLHOUSE_SECRET_PLANTED']);
    const said: string[] = [];
    const names = ['event', 'run', 'nodes', 'jobs', 'probe', 'preflight', 'runsChanged'] as const;
    for (const name of names) engine.client.on(name, (payload) => said.push(`${name} ${JSON.stringify(payload)}`));
    const { plan } = parsePlan(planText(server.port));
    const { origin } = plan.nodes;
    if (!origin) throw new Error('The plan has no origin.');
    await engine.client.call('nodes.add', { name: 'kept', settings: origin, secrets: {} });
    const answers: unknown[] = [
      await engine.client.call('plan.check', { plan }),
      await engine.client.call('plan.parse', { yaml: planText(server.port) }),
      await engine.client.call('nodes.export', {}),
      await engine.client.call('preflight.run', { id: 'look', plan }).catch(String),
      await engine.client.call('signal.whep', { node: 'kept', stream: 'cam', offerSdp: 'v=0' }).catch(String),
      await engine.client.call('player.address', { node: 'kept', stream: 'cam' }).catch(String),
    ];
    const { run } = await engine.client.call('runs.start', { plan, allowHooks: true });
    await ended(engine);
    answers.push(
      await engine.client.call('engine.state', {}),
      await engine.client.call('runs.open', { run }),
      await engine.client.call('runs.viewers', { run, offset: 0, limit: 100 }),
    );
    const leaks = [...said, ...answers.map((answer) => JSON.stringify(answer)), ...engine.sentences].flatMap((text) =>
      leftIn(text).map((what) => `${text.slice(0, 60)}: ${what}`),
    );
    expect(leaks).toEqual([]);
    expect(JSON.stringify(answers)).toContain('token=•••');
  });

  it('are named as missing before the run starts', async () => {
    const engine = engineInTemporaryFolder({ variables: {} });
    const plan = (text: string) => parsePlan(planText(server.port).replaceAll('$secret:PLANTED', text)).plan;
    await expect(engine.client.call('runs.start', { plan: plan(''), allowHooks: true })).rejects.toThrow(
      'nodes.origin.whep: The variable of $env:PLANT_TOKEN is not set.',
    );
    await expect(engine.client.call('runs.start', { plan: plan('$secret:NOWHERE'), allowHooks: true })).rejects.toThrow(
      /is not set|is not known/,
    );
    expect(server.asked).toEqual([]);
  });

  it('are masked for a window, which may start and edit with them but not send them elsewhere', async () => {
    const engine = engineInTemporaryFolder({ variables });
    const whep = `http://127.0.0.1:${server.port}/whep/{stream}?token=${planted.literalToken}`;
    const added = await engine.client.call('nodes.add', {
      name: 'edge',
      settings: { server: 'generic', whep },
      secrets: {},
    });
    const shown = added.settings;
    if (!shown) throw new Error('The node has no settings.');
    expect(shown).toEqual({ server: 'generic', whep: whep.replace(planted.literalToken, '•••') });
    const edited = { ...shown, process: 'edge' };
    await engine.client.call('nodes.edit', { node: 'edge', name: 'edge', settings: edited, secrets: {} });
    await engine.client.call('signal.whep', { node: 'edge', stream: 'cam', offerSdp: 'v=0' }).catch(() => undefined);
    expect(server.asked.join('\n')).toContain(`/whep/cam?token=${planted.literalToken}`);
    await expect(
      engine.client.call('nodes.add', {
        name: 'thief',
        settings: { server: 'generic', whep: 'http://127.0.0.1:9/whep?token=•••' },
        secrets: {},
      }),
    ).rejects.toThrow('"whep" contains ••• in place of a secret');
  });
});
