import { createServer, type AddressInfo, type Server } from 'node:net';
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { HostKeyQuestion } from '../../src/domain/model/node';
import { startSshd, type Sshd } from './servers/sshd';
import { refusal, sshBench, type SshBench } from './sshSupport';

let bastion: Sshd;
let target: Sshd;
let bench: SshBench;

beforeAll(async () => {
  [bastion, target] = await Promise.all([
    startSshd({ password: 'of the bastion' }),
    startSshd({ password: 'of the target', hostKeys: ['ed25519', 'rsa', 'ecdsa'] }),
  ]);
  bench = sshBench();
});
afterEach(() => {
  for (const name of ['config', 'known_hosts', 'id_ed25519']) rmSync(join(bench.sshFolder, name), { force: true });
  rmSync(join(bench.folder, 'own_known_hosts'), { force: true });
});
afterAll(async () => {
  bench?.remove();
  await Promise.all([bastion?.stop(), target?.stop()]);
});

const config = (text: string): void => writeFileSync(join(bench.sshFolder, 'config'), text);
const password = 'of the target';

describe('jump hosts', () => {
  it('connects through one of the config to a host of the config', async () => {
    bench.know(bastion);
    bench.know(target);
    config(`
Host inner
  HostName 127.0.0.1
  Port ${target.port}
  User ${target.user}
  ProxyJump gate
Host gate
  HostName 127.0.0.1
  Port ${bastion.port}
  User ${bastion.user}
  IdentityFile ${bastion.keyFile}
`);
    const link = await bench.open({ address: 'inner' }, { password });
    expect(link.remote).toEqual({ user: target.user, host: '127.0.0.1', port: target.port });
    const result = await link.run(['sh', '-c', 'echo $SSH_CONNECTION']);
    expect(result.stdout).toContain(` 127.0.0.1 ${target.port}`);
    expect(bastion.log()).toContain(`Accepted publickey for ${bastion.user}`);
    link.close();
  });

  it('connects through two from the settings', async () => {
    bench.know(bastion);
    bench.know(target);
    const jump = `${bastion.address},${target.address}`;
    writeFileSync(join(bench.sshFolder, 'id_ed25519'), readFileSync(bastion.keyFile));
    appendFileSync(join(target.folder, 'authorized_keys'), readFileSync(`${bastion.keyFile}.pub`));
    const link = await bench.open(target, { password, jump });
    expect((await link.run(['echo', 'through'])).stdout).toBe('through\n');
    link.close();
    writeFileSync(join(target.folder, 'authorized_keys'), readFileSync(`${target.keyFile}.pub`));
  });

  it('names the hop that refuses the login, and sends it no password', async () => {
    bench.know(bastion);
    bench.know(target);
    const error = await refusal(bench.open(target, { password: 'of the bastion', jump: bastion.address }));
    expect(error.code).toBe('auth');
    expect(error.message).toContain(`the jump host 127.0.0.1:${bastion.port} rejected the login of ${bastion.user}`);
    const atTarget = await refusal(
      bench.open(target, { password: 'wrong', jump: bastion.address, keyFile: bastion.keyFile }),
    );
    expect(atTarget.code).toBe('auth');
    expect(atTarget.message).toContain(`127.0.0.1:${target.port} rejected the login of ${target.user}`);
    expect(atTarget.message).not.toContain('jump');
  });

  it("requests confirmation of each hop's host key separately", async () => {
    const options = { password, jump: bastion.address, keyFile: bastion.keyFile };
    const first = await refusal(bench.open(target, options));
    expect(first.code).toBe('host-key-unknown');
    expect(first.message).toContain(`the jump host 127.0.0.1:${bastion.port}`);
    bench.know(bastion);
    const second = await refusal(bench.open(target, options));
    expect((second.cause as HostKeyQuestion).host).toBe(`[127.0.0.1]:${target.port}`);
  });

  it('names the hop that cannot reach the next', async () => {
    bench.know(bastion);
    const options = { jump: bastion.address, keyFile: bastion.keyFile };
    const refused = await refusal(bench.open({ address: 'me@127.0.0.1:1' }, options));
    expect(refused.code).toBe('refused');
    expect(refused.message).toContain(`from the jump host 127.0.0.1:${bastion.port}`);
  });
});

describe('host keys', () => {
  it('requests confirmation of an unknown one and saves the answer', async () => {
    const error = await refusal(bench.open(target, { password }));
    expect(error.code).toBe('host-key-unknown');
    const question = error.cause as HostKeyQuestion;
    expect(question).toMatchObject({
      state: 'unknown',
      host: `[127.0.0.1]:${target.port}`,
      keyType: 'ssh-ed25519',
    });
    expect(error.message).toContain(question.fingerprint);
    const blob = Buffer.from(target.hostKeyLine.split(/\s+/)[2] ?? '', 'base64');
    bench.hostKeys.trust('127.0.0.1', target.port, blob);
    expect(statSync(join(bench.folder, 'own_known_hosts')).mode & 0o777).toBe(0o600);
    const link = await bench.open(target, { password });
    link.close();
  });

  it.each(['ssh-rsa', 'ecdsa-sha2-nistp256'])(
    'recognises a host by its %s key although it has others',
    async (type) => {
      const line = target.hostKeyLine.split('\n').find((text) => text.includes(` ${type} `));
      bench.know({ hostKeyLine: `${line}\n` });
      const link = await bench.open(target, { password });
      link.close();
    },
  );

  it('stops at a changed one and names the file with the known one', async () => {
    const wrong = bastion.hostKeyLine.replace(String(bastion.port), String(target.port));
    bench.know({ hostKeyLine: `# mine\n${wrong}` });
    const error = await refusal(bench.open(target, { password }));
    expect(error.code).toBe('host-key-changed');
    expect((error.cause as HostKeyQuestion).known?.where).toContain('known_hosts line 2');
    expect(error.message).toContain('nothing was sent');
  });
});

describe('an impossible connection', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());
  const serve = async (say: string | undefined): Promise<string> => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      if (say === undefined) socket.destroy();
      else socket.write(say);
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return `me@127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  it('is reported in one sentence', async () => {
    const cases: [string, string, RegExp][] = [
      ['me@127.0.0.1:1', 'refused', /127\.0\.0\.1:1 refused the connection/],
      ['me@nowhere.internal', 'no-such-host', /can't be resolved/],
      [await serve('HTTP/1.1 400 Bad Request\r\n\r\n<html>'), 'unreachable', /is not an SSH server; it sent "HTTP/],
    ];
    for (const [address, code, words] of cases) {
      const error = await refusal(bench.open({ address }, { options: { connectTimeoutMs: 2000 } }));
      expect(error.code).toBe(code);
      expect(error.message).toMatch(words);
      expect(error.message).toMatch(/^tester-2: /);
    }
  });

  it('distinguishes a host that never responds from one that closes the connection', async () => {
    const silent = await refusal(bench.open({ address: await serve('') }, { options: { connectTimeoutMs: 500 } }));
    expect(silent.code).toBe('timeout');
    server?.close();
    const closing = await refusal(bench.open({ address: await serve(undefined) }));
    expect(closing.code).toBe('unreachable');
  });

  it('refuses a ProxyCommand and a cycle of jump hosts', async () => {
    config('Host a\n ProxyCommand nc %h %p\nHost b\n ProxyJump c\nHost c\n ProxyJump b\n');
    const command = await refusal(bench.open({ address: 'a' }));
    expect(command.code).toBe('ssh-config');
    expect(command.message).toContain('Use ProxyJump');
    const circle = await refusal(bench.open({ address: 'b' }));
    expect(circle.code).toBe('ssh-config');
    expect(circle.message).toContain('forms a loop');
  });
});
