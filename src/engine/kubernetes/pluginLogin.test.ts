import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../base/clock';
import { setLogTarget } from '../base/log';
import { until } from '../../../tests/support/until';
import { clusterAccess } from './clusterAccess';
import { openCluster } from './clusterClient';
import { kubeLogin } from './kubeconfig';
import { PluginLogin, type PluginOptions } from './pluginLogin';

let folder: string;
let logged: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-plugin-'));
  logged = [];
  setLogTarget({ write: (sentence) => logged.push(sentence), mask: (text) => text, limit: 'warn' });
});
let server: Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

const script = (text: string): string => {
  const path = join(folder, 'plugin.sh');
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return './plugin.sh';
};
const credentials = (status: object): string =>
  JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status });
const writes = (status: object): string => script(`echo '${credentials(status)}'`);

/** A kubeconfig with this user; JSON is YAML. */
function kubeconfig(user: object, cluster: object = { server: 'https://127.0.0.1:9' }): string {
  const path = join(folder, 'kc.yaml');
  const config = {
    ...{ 'current-context': 'here', clusters: [{ name: 'c', cluster }] },
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u', namespace: 'load' } }],
    users: [{ name: 'u', user }],
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

const exec = (command: string, more: object = {}) => ({
  exec: { apiVersion: 'client.authentication.k8s.io/v1', command, ...more },
});

function loginOf(user: object, options: Partial<PluginOptions> = {}): PluginLogin {
  const login = kubeLogin({ kubeconfig: kubeconfig(user) });
  const { plugin } = login.user;
  if (!plugin) throw new Error('the kubeconfig has no plugin');
  return new PluginLogin({ name: login.user.name, plugin }, login.cluster, { clock: systemClock, ...options });
}

describe('the program of a kubeconfig’s user', () => {
  it('is named once, and gives its token until that expires', async () => {
    const count = join(folder, 'count');
    const status = { token: 'abc', expirationTimestamp: '2030-01-01T00:00:00Z' };
    const command = script(`echo x >> '${count}'; echo '${credentials(status)}'`);
    let nowMs = Date.parse('2029-12-31T00:00:00Z');
    const login = loginOf(exec(command, { args: ['get token'] }), { clock: { ...systemClock, wall: () => nowMs } });
    const both = await Promise.all([login.credentials(), login.credentials()]);
    expect(both.map(({ token }) => token)).toEqual(['abc', 'abc']);
    await login.credentials();
    expect(readFileSync(count, 'utf8')).toBe('x\n');
    nowMs = Date.parse('2029-12-31T23:59:50Z');
    await login.credentials();
    login.reject();
    await login.credentials();
    expect(readFileSync(count, 'utf8')).toBe('x\nx\nx\n');
    expect(logged).toEqual([`The kubeconfig user "u" runs "${join(folder, 'plugin.sh')}" "get token" to log in.`]);
  });

  it('gets its own variables and what kubectl tells it, and no secret of Fullhouse', async () => {
    vi.stubEnv('FULLHOUSE_ORIGIN_SSH_PASSWORD', 'planted');
    const seen = join(folder, 'seen');
    const command = script(`env > '${seen}'; echo '${credentials({ token: 'abc' })}'`);
    await loginOf(
      exec(command, { env: [{ name: 'AWS_PROFILE', value: 'prod' }], provideClusterInfo: true }),
    ).credentials();
    const text = readFileSync(seen, 'utf8');
    expect(text).toContain('AWS_PROFILE=prod');
    expect(text).toMatch(/KUBERNETES_EXEC_INFO=.*"interactive":false.*"server":"https:\/\/127\.0\.0\.1:9"/);
    expect(text).not.toContain('FULLHOUSE');
  });

  it('shows at once what it writes, and is ended after the stated time with all that it started', async () => {
    const late = join(folder, 'late');
    const command = script(`echo 'Opening browser for SSO login...' >&2; sleep 3; touch '${late}'`);
    const failed = loginOf(exec(command, { installHint: 'Log in first.' }), { timeoutMs: 500 }).credentials();
    failed.catch(() => undefined); // awaited below
    await until(() => logged.some((line) => line.endsWith('plugin.sh: Opening browser for SSO login...')), 5000);
    await expect(failed).rejects.toThrow(
      /^The kubeconfig user "u" can't log in: it wrote no credentials within 0\.50 s and was ended \(.*plugin\.sh"\): Opening browser for SSO login\.\.\. Log in first\.$/,
    );
    expect(await until(() => existsSync(late), 4000)).toBe(false);
  });

  it.each([
    ['does not exist', () => 'aws-not-here', 'the program does not exist ("aws-not-here"). Install the AWS CLI.'],
    ['fails', () => script('echo "no session" >&2; exit 3'), 'it ended with 3'],
    [
      'writes a warning before its JSON',
      () => script(`echo Warning; echo '${credentials({ token: 'abc' })}'`),
      'something else than the JSON of an ExecCredential',
    ],
    ['writes another object', () => script('echo "{}"'), 'it wrote no valid ExecCredential'],
    ['writes no credentials', () => writes({}), 'neither a token nor a client certificate'],
    ['writes without end', () => script('yes'), 'more than 1048576 bytes and was ended'],
  ])('that %s is a sentence with its hint, without its output', async (_, command, why) => {
    const failed = loginOf(exec(command(), { installHint: 'Install the AWS CLI.' })).credentials();
    await expect(failed).rejects.toThrow(why);
    await expect(failed).rejects.toThrow(/Install the AWS CLI\.$/);
    await expect(failed).rejects.not.toThrow(/abc/);
  });

  it('of an unknown version is not started', async () => {
    const ran = join(folder, 'ran');
    const user = { exec: { apiVersion: 'client.authentication.k8s.io/v1alpha1', command: script(`touch '${ran}'`) } };
    await expect(loginOf(user).credentials()).rejects.toThrow('is not supported');
    expect(existsSync(ran)).toBe(false);
  });
});

describe('a cluster', () => {
  it('is asked again with new credentials when it rejects those of a program', async () => {
    const tokens: Array<string | undefined> = [];
    server = createServer((request, response) => {
      tokens.push(request.headers.authorization);
      const isGood = request.headers.authorization === 'Bearer 2';
      response.writeHead(isGood ? 200 : 401, { 'content-type': 'application/json' });
      const version = { major: '1', minor: '30', gitVersion: 'v1.30.0' };
      response.end(
        JSON.stringify(
          isGood
            ? { ...version, gitCommit: '', gitTreeState: '', buildDate: '', goVersion: '', compiler: '', platform: '' }
            : {},
        ),
      );
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const count = join(folder, 'count');
    const numbered = credentials({ token: 'N' }).replace('"N"', '"\'$(wc -l < "$F" | tr -d " ")\'"');
    const command = script(`F='${count}'; echo x >> "$F"; echo '${numbered}'`);
    const path = kubeconfig(exec(command), {
      ...{ server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true },
    });
    const cluster = await openCluster({ kubeconfig: path }, systemClock);
    expect(await cluster.version()).toBe('v1.30.0');
    expect(tokens).toEqual(['Bearer 1', 'Bearer 2']);
  });

  it.each(['client-certificate', 'client-key'])('is not opened with a %s that never ends', async (key) => {
    const path = kubeconfig({ [key]: '/dev/zero' });
    await expect(openCluster({ kubeconfig: path }, systemClock)).rejects.toThrow(
      "/dev/zero can't be read: it is not a file.",
    );
  });

  it('is not logged in to by an auth-provider, nor by a token file that never ends', async () => {
    const provider = kubeconfig({ 'auth-provider': { name: 'gcp', config: { 'cmd-path': '/bin/false' } } });
    await expect(openCluster({ kubeconfig: provider }, systemClock)).rejects.toThrow(
      'The kubeconfig user "u" logs in by the auth-provider "gcp", which kubectl no longer supports either.',
    );
    const endless = await openCluster({ kubeconfig: kubeconfig({ tokenFile: '/dev/zero' }) }, systemClock);
    await expect(endless.version()).rejects.toThrow("the file /dev/zero can't be read: it is not a file.");
  });
});

describe('reading a kubeconfig', () => {
  it('lists its programs and files, and runs and reads none of them', () => {
    const ran = join(folder, 'ran');
    const user = {
      ...exec(script(`touch '${ran}'`), { args: ['a'], env: [{ name: 'A', value: 'b' }] }),
      ...{ 'client-certificate': 'c.pem', 'client-key': '/k.pem' },
    };
    const cluster = {
      server: 'https://10.9.9.9:6443/',
      'certificate-authority': 'ca.pem',
      'proxy-url': 'http://10.8.8.8',
    };
    expect(clusterAccess({ kubeconfig: kubeconfig(user, cluster) })).toEqual({
      ...{ server: 'https://10.9.9.9:6443', proxy: 'http://10.8.8.8', context: 'here', namespace: 'load', user: 'u' },
      plugin: { command: [join(folder, 'plugin.sh'), 'a'], variables: { A: 'b' } },
      files: [join(folder, 'ca.pem'), join(folder, 'c.pem'), '/k.pem'],
    });
    expect(existsSync(ran)).toBe(false);
    expect(clusterAccess({ kubeconfig: kubeconfig({ tokenFile: '/dev/zero' }) })).toMatchObject({
      files: ['/dev/zero'],
    });
  });

  it.each([
    ['a: 1\nsecret: [value', /line 2 is not valid YAML\.$/],
    [
      'users: [{ name: u, user: { exec: { command: 7 } } }]',
      /users\.0\.user\.exec\.command is missing or not valid\.$/,
    ],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n', /is not a usable kubeconfig/],
  ])('an unusable one quotes nothing of its content', (content, expected) => {
    const path = join(folder, 'kc.yaml');
    writeFileSync(path, content);
    const { fault } = clusterAccess({ kubeconfig: path }) as { fault: string };
    expect(fault).toMatch(expected);
    expect(fault).not.toMatch(/value|b3Blb/);
  });

  it.each(['/dev/zero', '/proc/self', '/nowhere'])('%s is refused, and not read', (path) => {
    expect(clusterAccess({ kubeconfig: path })).toHaveProperty('fault');
  });
});
