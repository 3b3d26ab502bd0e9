import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../tests/support/until';
import { VirtualEngine } from '../../../tests/support/virtualEngine';
import type { AlertPayload } from '../../domain/incidents/alertActions';
import type { Incident } from '../../domain/incidents/incident';
import { alertRules, type AlertRule } from '../../domain/incidents/rules';
import { privateTempFolder } from '../base/tempFolder';

/** A receiver of webhooks on loopback. */
let server: Server;
let received: { readonly path: string; readonly body: AlertPayload }[];
let answer: (response: ServerResponse) => void;

let engine: VirtualEngine;
let data: ReturnType<typeof privateTempFolder>;
let said: string[];
let problems: string[];

function start(): void {
  engine = new VirtualEngine({
    fleetFile: join(data.path, 'fleet.yaml'),
    variables: { FULLHOUSE_TOKEN: 's3cret-token' },
    logLevel: 'debug',
    log: (sentence) => said.push(sentence),
  });
  engine.client.on('alertProblem', ({ problem }) => problems.push(problem));
}

beforeEach(async () => {
  [received, said, problems] = [[], [], []];
  answer = (response) => response.end();
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      received.push({ path: request.url ?? '', body: JSON.parse(text) as AlertPayload });
      answer(response);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  data = privateTempFolder();
  start();
});
afterEach(async () => {
  await engine.close();
  data.remove();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const address = (path = '/'): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
const lostRule = (over: Partial<AlertRule>): AlertRule =>
  ({ name: 'node-lost', kind: 'node-lost', forMs: 5000, severity: 'critical', ...over }) as AlertRule;
const setRule = (over: Partial<AlertRule>) => engine.client.call('incidents.setRules', { rules: [lostRule(over)] });
const listed = async (): Promise<readonly Incident[]> => (await engine.client.call('incidents.list', {})).incidents;

/** As the main process, once the person has read what the rules do. */
async function allow(): Promise<readonly string[]> {
  const { notAllowed, notAllowedDigest: digest } = await engine.client.call('incidents.rules', {});
  await engine.client.call('incidents.allow', { digest });
  return notAllowed.map(({ text }) => text);
}
async function killLab(): Promise<void> {
  await engine.during(engine.client.call('lab.start', {}));
  await engine.time.pass(5000);
  void engine.agents.lab.end('SIGKILL');
  await engine.time.pass(10_000);
}
async function restartLab(): Promise<void> {
  await engine.during(engine.client.call('lab.start', {}));
  await engine.time.pass(3000);
}
const hasReceived = (count: number) => until(() => received.length === count);
/** What arrives by mistake needs some real time. */
const rest = () => new Promise((done) => setTimeout(done, 300));

describe('a webhook', () => {
  it('is called when an incident begins and when it ends', async () => {
    await setRule({ webhook: address('/hook') });
    expect(await allow()).toEqual([`when an incident begins and when it ends: send it to ${address('/hook')}`]);
    await killLab();
    expect(await hasReceived(1)).toBe(true);
    await restartLab();
    expect(await hasReceived(2)).toBe(true);
    const [firing, resolved] = received.map(({ body }) => body);
    expect(received[0]?.path).toBe('/hook');
    expect(firing).toMatchObject({ rule: 'node-lost', kind: 'node-lost', severity: 'critical', state: 'firing' });
    expect(firing).toMatchObject({ node: 'lab', subject: ['lab'], endedAt: null, times: 1 });
    expect(firing?.sentence).toMatch(/^lab stopped responding: /);
    expect(resolved).toMatchObject({ state: 'resolved', incident: firing?.incident, startedAt: firing?.startedAt });
    expect(Date.parse(resolved?.endedAt ?? '') - Date.parse(resolved?.startedAt ?? '')).toBe(resolved?.lengthMs);
    expect(resolved?.lengthMs).toBeGreaterThan(5000);
    expect(resolved?.sentence).toMatch(/^lab did not respond for /);
    expect(problems).toEqual([]);
  });

  it('is called for each of the rules that begin in the same second, and names its own', async () => {
    const rules = ['chat', 'pager', 'log'].map((name) => lostRule({ name, webhook: address(`/${name}`) }));
    await engine.client.call('incidents.setRules', { rules });
    await allow();
    await killLab();
    expect(await hasReceived(3)).toBe(true);
    await restartLab();
    expect(await hasReceived(6)).toBe(true);
    const calls = received.map(({ path, body: { rule, state } }) => `${path} ${rule} ${state}`).sort();
    expect(calls).toEqual(
      ['chat', 'log', 'pager'].flatMap((name) => [`/${name} ${name} firing`, `/${name} ${name} resolved`]),
    );
  });

  it('is not called before it is allowed, which the line of the incident says', async () => {
    await setRule({ webhook: address() });
    await killLab();
    await rest();
    expect(received).toEqual([]);
    expect((await listed())[0]?.remark?.sentence).toMatch(/not allowed yet/);
    await expect(engine.client.call('incidents.allow', { digest: 'of something else' })).rejects.toThrow(/has changed/);
    await allow();
    expect((await listed())[0]?.remark).toBeUndefined();
    await restartLab();
    await rest();
    expect(received).toEqual([]);
  });

  it('stays allowed after a restart, and not once it is changed', async () => {
    await setRule({ webhook: address('/a') });
    await allow();
    expect(await until(() => existsSync(join(data.path, 'allowed_alerts')))).toBe(true);
    await engine.close();
    start();
    expect((await engine.client.call('incidents.rules', {})).notAllowed).toEqual([]);
    expect((await setRule({ webhook: address('/a'), severity: 'info' })).notAllowed).toEqual([]);
    expect((await setRule({ webhook: address('/a'), isOff: true })).notAllowed).toEqual([]);
    expect((await setRule({ webhook: address('/a') })).notAllowed).toEqual([]);
    const { notAllowed } = await setRule({ webhook: address('/b') });
    expect(notAllowed).toMatchObject([{ kind: 'network', path: 'node-lost' }]);
    expect((await setRule({ webhook: address('/a') })).notAllowed).toHaveLength(1);
    expect((await setRule({ webhook: address('/b'), isOff: true })).notAllowed).toEqual([]);
  });

  it('that fails is reported with what to do, and on the line', async () => {
    answer = (response) => response.writeHead(500).end();
    await setRule({ webhook: address('/secret-path') });
    await allow();
    await killLab();
    expect(await until(() => problems.length === 1)).toBe(true);
    expect(problems[0]).toMatch(
      /^The webhook at 127\.0\.0\.1:\d+ failed for node-lost \(firing\): .*HTTP 500.* Check the webhook/,
    );
    expect(problems[0]).not.toContain('secret-path');
    expect((await listed())[0]?.remark).toEqual({ result: 'failed', sentence: problems[0] });
    answer = (response) => response.end();
    await restartLab();
    expect(await hasReceived(2)).toBe(true);
    expect(await until(async () => (await listed())[0]?.remark === undefined)).toBe(true);
  });

  it('that does not answer is given up after 10 s, and holds nothing else up', async () => {
    answer = () => undefined;
    await setRule({ webhook: address() });
    await allow();
    await killLab();
    expect(await hasReceived(1)).toBe(true);
    await engine.time.pass(11_000);
    expect(await until(() => problems.length === 1)).toBe(true);
    expect(problems[0]).toMatch(/failed for node-lost \(firing\)/);
  });

  it('has its secret by reference, which is in no log, no problem and no file', async () => {
    answer = (response) => response.writeHead(403).end();
    await setRule({ webhook: address('/$env:FULLHOUSE_TOKEN') });
    expect((await allow())[0]).toContain('/$env:FULLHOUSE_TOKEN');
    await killLab();
    expect(await until(() => problems.length === 1)).toBe(true);
    expect(received[0]?.path).toBe('/s3cret-token');
    await engine.time.pass(2000);
    expect(await until(() => existsSync(join(data.path, 'incidents.json')))).toBe(true);
    const files = ['incidents.json', 'alert-rules.yaml', 'allowed_alerts'].map((name) =>
      readFileSync(join(data.path, name), 'utf8'),
    );
    expect([...said, ...problems, ...files].join('\n')).not.toContain('s3cret-token');
  });

  it('with a reference that has no value is reported and not called', async () => {
    await setRule({ webhook: address('/$secret:PAGER') });
    await allow();
    await killLab();
    expect(await until(() => problems.length === 1)).toBe(true);
    expect(problems[0]).toMatch(/\$secret:PAGER is not known/);
    expect(received).toEqual([]);
  });

  it('whose secret is written out stays what it is, and allowed, when the form saves other rules', async () => {
    const rule = lostRule({ webhook: address('/hook?token=s3cret'), command: ['notify', '--url=http://h/?key=k3y'] });
    await engine.client.call('incidents.setRules', { rules: [rule] });
    await allow();
    const { rules: shown } = await engine.client.call('incidents.rules', {});
    // As a window reads them.
    expect(alertRules.parse(shown)).toMatchObject([{ webhook: address('/hook?token=•••') }]);
    expect(JSON.stringify(shown)).not.toMatch(/s3cret|k3y/);
    const added = { name: 'rebooted', kind: 'host-rebooted', severity: 'info' } as const;
    const renamed = shown.map((each) => ({ ...each, name: 'renamed' }));
    for (const rules of [[...shown, added], renamed])
      expect((await engine.client.call('incidents.setRules', { rules })).notAllowed).toEqual([]);
    const other = lostRule({ webhook: address('/other?token=•••') });
    await expect(engine.client.call('incidents.setRules', { rules: [other] })).rejects.toThrow(/in place of a secret/);
    await engine.client.call('incidents.setRules', { rules: [lostRule({ webhook: address('/hook?token=•••') })] });
    await killLab();
    expect(await hasReceived(1)).toBe(true);
    expect(received[0]?.path).toBe('/hook?token=s3cret');
  });

  it('has no begin of what is muted or acknowledged, and its end', async () => {
    await setRule({ webhook: address() });
    await allow();
    await killLab();
    expect(await hasReceived(1)).toBe(true);
    const [lost] = await listed();
    await engine.client.call('incidents.acknowledge', { id: lost?.id ?? '' });
    // Else it would stay open for the receiver.
    await restartLab();
    expect(await hasReceived(2)).toBe(true);
    expect(received[1]?.body.state).toBe('resolved');
    await engine.client.call('incidents.mute', { id: lost?.id ?? '', untilMs: engine.time.clock.now() + 3_600_000 });
    void engine.agents.lab.end('SIGKILL');
    await engine.time.pass(10_000);
    await rest();
    expect(received).toHaveLength(2);
  });

  it('is called after a restart for the end of what came and went shortly before', async () => {
    await setRule({ webhook: address() });
    await allow();
    await killLab();
    await restartLab();
    await killLab();
    expect(await hasReceived(3)).toBe(true);
    await restartLab();
    await engine.time.pass(2000);
    const file = join(data.path, 'incidents.json');
    const isSaved = (): boolean => existsSync(file) && /"count":2.*"ended":/.test(readFileSync(file, 'utf8'));
    expect(await until(isSaved)).toBe(true);
    await engine.close();
    start();
    await engine.time.pass(660_000);
    expect(await hasReceived(4)).toBe(true);
    expect(received.map(({ body }) => `${body.state} ${body.times}`)).toEqual([
      ...['firing 1', 'resolved 1', 'firing 2', 'resolved 2'],
    ]);
  });

  it('that a removed rule had is allowed until its end was sent', async () => {
    await setRule({ webhook: address() });
    await allow();
    await killLab();
    expect(await hasReceived(1)).toBe(true);
    await engine.client.call('incidents.setRules', { rules: [] });
    expect(await hasReceived(2)).toBe(true);
    await engine.time.pass(2000);
    expect((await setRule({ webhook: address() })).notAllowed).toHaveLength(1);
  });
});

describe('a command', () => {
  const script = (file: string): readonly [string, ...string[]] => [
    process.execPath,
    '-e',
    `let text = ''; process.stdin.on('data', (each) => (text += each)).on('end', () =>
      require('fs').appendFileSync(process.argv[1], process.env.FULLHOUSE_STATE + ' ' + process.env.FULLHOUSE_RULE + ' ' + text))`,
    file,
  ];

  it('is started with the incident in its environment and on its standard input', async () => {
    const file = join(data.path, 'out');
    await setRule({ command: script(file) });
    const [text] = await allow();
    expect(text).toMatch(/^when an incident begins and when it ends: run ".*" "-e" .* on this machine$/);
    await killLab();
    const lines = (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
    expect(await until(() => lines().length === 1)).toBe(true);
    await restartLab();
    expect(await until(() => lines().length === 2)).toBe(true);
    expect(lines()[0]).toMatch(/^firing node-lost \{/);
    expect(lines()[1]).toMatch(/^resolved node-lost \{/);
    expect(JSON.parse((lines()[1] ?? '').slice('resolved node-lost '.length))).toMatchObject({ state: 'resolved' });
  });

  it('is listed as a whole, and allowed by its whole content', async () => {
    await setRule({ command: ['sh', '-c', 'curl http://h/?token=$(evil|sh)'] });
    const { notAllowed, notAllowedDigest: digest } = await engine.client.call('incidents.rules', {});
    expect(notAllowed.map(({ text }) => text)).toEqual([
      'when an incident begins and when it ends: run "sh" "-c" "curl http://h/?token=$(evil|sh)" on this machine',
    ]);
    await setRule({ webhook: address('/?token=a') });
    const { notAllowedDigest: ofA, notAllowed: shown } = await engine.client.call('incidents.rules', {});
    expect(JSON.stringify(shown)).toContain('?token=•••');
    // The text is the same, and the address is not.
    await setRule({ webhook: address('/?token=b') });
    for (const other of [digest, ofA])
      await expect(engine.client.call('incidents.allow', { digest: other })).rejects.toThrow(/has changed/);
  });

  it('that does not exist is a problem', async () => {
    await setRule({ command: [join(data.path, 'missing')] });
    await allow();
    await killLab();
    expect(await until(() => problems.length === 1)).toBe(true);
    expect(problems[0]).toMatch(
      /missing failed for node-lost \(firing\): the program does not exist\. Check the command/,
    );
  });
});
