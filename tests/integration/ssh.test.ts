import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SshLink } from '../../src/engine/links/ssh/sshLink';
import { isAlive, refused, sshBench, expectSoon, type SshBench } from './sshSupport';
import { startSshd, type Sshd } from './servers/sshd';

let sshd: Sshd;
let bench: SshBench;
let link: SshLink;

beforeAll(async () => {
  sshd = await startSshd({ password: 'open sesame' });
  bench = sshBench();
  bench.know(sshd);
  link = await bench.open(sshd, { password: 'open sesame' });
});
afterAll(async () => {
  link?.close();
  bench?.remove();
  await sshd?.stop();
});

describe('a link', () => {
  it('logs in by password', () => {
    expect(link.authenticatedBy).toBe('password');
    expect(link.state).toBe('live');
    expect(link.remote).toEqual({ user: sshd.user, host: '127.0.0.1', port: sshd.port });
  });

  it('passes every argument unchanged', async () => {
    const words = ["it's", '"quoted"', '$(id)', '`id`', 'a\nb', '', ' ', '*', '~', '\\', '!', 'é', '-n', '#', ';'];
    const result = await link.run(['sh', '-c', 'for word; do printf "%s\\0" "$word"; done', 'sh', ...words]);
    expect(result.stdout.split('\0').slice(0, -1)).toEqual(words);
    expect(result).toMatchObject({ code: 0, stderr: '' });
  });

  it('bounds the connections to a port that the host forwards here', async () => {
    let open = 0;
    const forward = await link.listen((stream) => {
      open += 1;
      stream.on('close', () => (open -= 1));
      stream.on('end', () => stream.end()).resume();
    });
    const sockets = Array.from({ length: 60 }, () => connect(forward.port, '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => undefined).resume();
    await vi.waitFor(() => expect(sockets.filter(({ closed }) => closed)).toHaveLength(28), { timeout: 10_000 });
    expect(open).toBe(32);
    sockets.find(({ closed }) => !closed)?.destroy();
    await vi.waitFor(() => expect(open).toBe(31), { timeout: 10_000 });
    const next = connect(forward.port, '127.0.0.1');
    await vi.waitFor(() => expect(open).toBe(32), { timeout: 10_000 });
    for (const socket of [next, ...sockets]) socket.destroy();
    forward.close();
  });

  it('passes input, exit code and error output', async () => {
    const result = await link.run(['sh', '-c', 'cat; echo bad >&2; exit 3'], { input: 'hello' });
    expect(result).toEqual({ code: 3, stdout: 'hello', stderr: 'bad\n' });
  });

  it('drops output of shell startup files', async () => {
    const noisy = 'echo Welcome to this host; printf "no line end" ; echo beware >&2\n';
    writeFileSync(join(sshd.home, '.bashrc'), noisy);
    const result = await link.run(['echo', 'own']);
    expect(result).toEqual({ code: 0, stdout: 'own\n', stderr: '' });
    const lines: string[] = [];
    const command = await link.follow(['sh', '-c', 'echo one; echo two'], {
      line: (line) => lines.push(line),
    });
    expect((await command.ended).code).toBe(0);
    expect(lines).toEqual(['one', 'two']);
    rmSync(join(sshd.home, '.bashrc'));
  });

  it('ends a program that takes too long, prints too much, or is cancelled', async () => {
    const late = await refused(link.run(['sleep', '1000'], { timeoutMs: 300 }));
    expect(late).toMatchObject({ code: 'timeout', message: 'tester-2: "sleep" did not end within 0.3 s.' });
    const much = await refused(link.run(['head', '-c', '10485760', '/dev/zero'], { maxBytes: 1_000_000 }));
    expect(much.code).toBe('too-long');
    const stop = new AbortController();
    const running = refused(link.run(['sleep', '1000'], { signal: stop.signal }));
    stop.abort();
    expect((await running).code).toBe('aborted');
    await expectSoon(() => sshd.programs().every((program) => program !== 'sleep'));
    expect((await link.run(['echo', 'still there'])).stdout).toBe('still there\n');
  });

  it('transfers 10 MB if allowed', async () => {
    const result = await link.run(['head', '-c', '10485760', '/dev/zero'], { maxBytes: 20_000_000 });
    expect(result.stdout.length).toBe(10_485_760);
  });

  it('follows lines both ways expectSoon it is ended, and leaves no process behind', async () => {
    const lines: string[] = [];
    const errors: string[] = [];
    const command = await link.follow(
      ['sh', '-c', 'echo $$; while read -r word; do echo "<$word>"; echo "é" >&2; done'],
      { line: (line) => lines.push(line), errorLine: (line) => errors.push(line) },
    );
    command.write('a\nb\n');
    await expectSoon(() => lines.length === 3 && errors.length === 2);
    expect(lines.slice(1)).toEqual(['<a>', '<b>']);
    expect(errors).toEqual(['é', 'é']);
    command.end();
    expect((await command.ended).code).toBe(0);
    await expectSoon(() => !isAlive(Number(lines[0])));
  });

  it('ends a followed program that ignores its input', async () => {
    const lines: string[] = [];
    const command = await link.follow(['sh', '-c', 'echo $$; exec sleep 1000'], {
      line: (line) => lines.push(line),
    });
    await expectSoon(() => lines.length === 1);
    command.end();
    await command.ended;
    await expectSoon(() => !isAlive(Number(lines[0])));
  });

  it('reaches addresses reachable only from the host', async () => {
    const server = createServer((socket) => socket.pipe(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const stream = await link.connect('127.0.0.1', port);
    stream.write('echoed');
    const [received] = (await once(stream, 'data')) as [Buffer];
    expect(received.toString()).toBe('echoed');
    stream.destroy();
    await new Promise((resolve) => server.close(resolve));
    const error = await refused(link.connect('127.0.0.1', port));
    expect(error.code).toBe('refused');
    expect(error.message).toContain(`127.0.0.1:${port} refused the connection`);
  });
});

describe('an upload', () => {
  const upload = (name: string, content: Buffer): string => {
    const from = join(bench.folder, name);
    writeFileSync(from, content);
    return from;
  };

  it('arrives complete with its mode, also over an older file', async () => {
    const from = upload('file', Buffer.alloc(3_000_000, 7));
    await link.upload(upload('old', Buffer.from('old')), `${sshd.home}/there`, 0o600);
    await link.upload(from, `${sshd.home}/there`, 0o750);
    expect(readFileSync(`${sshd.home}/there`).equals(readFileSync(from))).toBe(true);
    expect(statSync(`${sshd.home}/there`).mode & 0o777).toBe(0o750);
    expect(readdirSync(sshd.home).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('reports why it failed', async () => {
    const from = upload('small', Buffer.from('x'));
    const cases: [string, string][] = [
      ['/root/file', 'no-permission'],
      [`${sshd.home}/nowhere/file`, 'no-folder'],
      ['/proc/file', 'no-folder'],
      ['/dev/null/file', 'no-folder'],
    ];
    for (const [path, code] of cases) {
      const error = await refused(link.upload(from, path, 0o600));
      expect([path, error.code, error.message]).toEqual([path, code, expect.stringContaining(path)]);
    }
    expect((await refused(link.upload('/nowhere/file', '/tmp/x', 0o600))).code).toBe('no-file');
  });
});

describe('an account', () => {
  it('without a shell is reported', async () => {
    const bare = await startSshd({ password: 'x y', shell: '/usr/sbin/nologin' });
    bench.know(bare);
    const bareLink = await bench.open(bare, { password: 'x y' });
    const error = await refused(bareLink.run(['true']));
    expect(error.code).toBe('no-shell');
    expect(error.message).toContain('This account is currently not available');
    bareLink.close();
    await bare.stop();
  });
});

describe('a restricted server', () => {
  let narrow: Sshd;
  let narrowLink: SshLink;
  beforeAll(async () => {
    narrow = await startSshd({
      temporaryUser: true,
      sftp: false,
      config: ['MaxSessions 2', 'AllowTcpForwarding no'],
    });
    bench.know(narrow);
    narrowLink = await bench.open(narrow, { keyFile: narrow.keyFile });
  });
  afterAll(async () => {
    narrowLink?.close();
    await narrow?.stop();
  });

  it('accepts an upload without SFTP', async () => {
    const from = join(bench.folder, 'by-cat');
    writeFileSync(from, Buffer.alloc(2_000_000, 9));
    await narrowLink.upload(from, `${narrow.home}/there`, 0o755);
    expect(readFileSync(`${narrow.home}/there`).equals(readFileSync(from))).toBe(true);
    expect(statSync(`${narrow.home}/there`).mode & 0o777).toBe(0o755);
    expect(readdirSync(narrow.home).filter((name) => name.includes('there'))).toEqual(['there']);
  });

  it('reports the session limit, and disabled forwarding', async () => {
    const silent = { line: () => undefined };
    const both = [await narrowLink.follow(['cat'], silent), await narrowLink.follow(['cat'], silent)];
    const error = await refused(narrowLink.run(['true']));
    expect(error.code).toBe('too-many-sessions');
    expect(error.message).toContain('MaxSessions');
    for (const command of both) command.end();
    await Promise.all(both.map(({ ended }) => ended));
    // On a busy machine sshd still counts a session shortly after its channel has closed.
    await vi.waitFor(async () => expect((await narrowLink.run(['true'])).code).toBe(0), 10_000);
    expect((await refused(narrowLink.connect('127.0.0.1', 22))).code).toBe('forwarding-refused');
  });
});
