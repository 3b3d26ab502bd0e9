import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSshd, type Sshd } from './servers/sshd';
import { refusal, sshBench, type SshBench } from './sshSupport';

let sshd: Sshd;
let bench: SshBench;
let agent: ChildProcess;
let agentSocket: string;

beforeAll(async () => {
  sshd = await startSshd({ password: 'open sesame', certificates: true });
  bench = sshBench();
  bench.know(sshd);
  agentSocket = join(bench.folder, 'agent');
  agent = spawn('ssh-agent', ['-D', '-a', agentSocket], { stdio: 'ignore' });
  while (!existsSync(agentSocket)) await new Promise((resolve) => setTimeout(resolve, 20));
});
afterAll(async () => {
  agent?.kill();
  bench?.remove();
  await sshd?.stop();
});

const addToAgent = (file: string): void => {
  execFileSync('ssh-add', ['-q', file], {
    env: { ...process.env, SSH_AUTH_SOCK: agentSocket },
    stdio: 'pipe',
  });
};
const emptyAgent = (): void => {
  execFileSync('ssh-add', ['-q', '-D'], {
    env: { ...process.env, SSH_AUTH_SOCK: agentSocket },
    stdio: 'pipe',
  });
};
const authorize = (file: string): void =>
  writeFileSync(join(sshd.folder, 'authorized_keys'), readFileSync(`${file}.pub`), { flag: 'a' });

describe('keys', () => {
  it.each(['ed25519', 'ecdsa', 'rsa'])('logs in by a %s key in a file', async (type) => {
    const file = sshd.newKey(`file_${type}`, type);
    authorize(file);
    const link = await bench.open(sshd, { keyFile: file });
    expect(link.authenticatedBy).toBe(`key ${file}`);
    link.close();
  });

  it.each(['ed25519', 'ecdsa', 'rsa'])('logs in by a %s key that only the agent has', async (type) => {
    const file = sshd.newKey(`agent_${type}`, type);
    authorize(file);
    addToAgent(file);
    const link = await bench.open(sshd, { agentSocket });
    expect(link.authenticatedBy).toBe(`agent key agent_${type}`);
    link.close();
    emptyAgent();
  });

  it.each(['ed25519', 'ecdsa', 'rsa'])('logs in by a %s certificate beside the key', async (type) => {
    const file = sshd.newKey(`certified_${type}`, type);
    sshd.certify(file);
    const link = await bench.open(sshd, { keyFile: file });
    expect(link.authenticatedBy).toBe(`certificate ${file}-cert.pub`);
    link.close();
  });

  it.each(['ed25519', 'rsa'])('logs in by a %s certificate in the agent', async (type) => {
    const file = sshd.newKey(`certified_agent_${type}`, type);
    sshd.certify(file);
    addToAgent(file);
    rmSync(file);
    const link = await bench.open(sshd, { agentSocket });
    expect(link.authenticatedBy).toBe(`agent certificate certified_agent_${type}`);
    link.close();
    emptyAgent();
  });

  it('is refused with a certificate for another user', async () => {
    const file = sshd.newKey('for_other');
    sshd.certify(file, 'somebody');
    const error = await refusal(bench.open(sshd, { keyFile: file }));
    expect(error.code).toBe('auth');
    expect(error.message).toContain(`certificate ${file}-cert.pub, key ${file}`);
  });

  it('accepts an encrypted key with its passphrase, and reports a missing or wrong one', async () => {
    const file = sshd.newKey('encrypted', 'ed25519', 'a passphrase');
    authorize(file);
    const link = await bench.open(sshd, { keyFile: file, passphrase: 'a passphrase' });
    expect(link.authenticatedBy).toBe(`key ${file}`);
    link.close();
    const missing = await refusal(bench.open(sshd, { keyFile: file }));
    expect(missing.code).toBe('key-passphrase');
    expect(missing.message).toContain('needs a passphrase');
    const wrong = await refusal(bench.open(sshd, { keyFile: file, passphrase: 'another' }));
    expect(wrong.code).toBe('key-passphrase');
    expect(wrong.message).toContain('the passphrase is wrong');
  });

  it('continues with the password after a locked key', async () => {
    const file = join(sshd.folder, 'encrypted');
    const link = await bench.open(sshd, { keyFile: file, password: 'open sesame' });
    expect(link.authenticatedBy).toBe('password');
    link.close();
  });

  it('uses the default keys of the ssh folder', async () => {
    const file = sshd.newKey('usual');
    authorize(file);
    writeFileSync(join(bench.sshFolder, 'id_ed25519'), readFileSync(file));
    const link = await bench.open(sshd);
    expect(link.authenticatedBy).toContain('id_ed25519');
    link.close();
    rmSync(join(bench.sshFolder, 'id_ed25519'));
  });

  it('lists the tried methods when all fail', async () => {
    const wrongKey = sshd.newKey('wrong');
    const error = await refusal(bench.open(sshd, { keyFile: wrongKey, password: 'nonsense', agentSocket: '/nowhere' }));
    expect(error.code).toBe('auth');
    expect(error.message).toContain(`rejected the login of ${sshd.user}. Tried: key ${wrongKey}, password.`);
    expect(error.message).toContain('The server accepts publickey and password.');
    expect(error.message).toContain('the SSH agent at /nowhere does not respond');
    expect(error.message).not.toContain('nonsense');
    const nothing = await refusal(bench.open(sshd, { keyFile: '/nowhere/key' }));
    expect(nothing.message).toContain('No usable key and no password');
    expect(nothing.message).toContain('/nowhere/key does not exist');
  });

  it('reports too many keys', async () => {
    for (let index = 0; index < 8; index += 1) addToAgent(sshd.newKey(`many_${index}`));
    const error = await refusal(bench.open(sshd, { agentSocket }));
    expect(error.code).toBe('auth');
    expect(error.message).toContain('Too many authentication failures');
    // The configured key comes first, whatever the agent has.
    const link = await bench.open(sshd, { agentSocket, keyFile: sshd.keyFile });
    expect(link.authenticatedBy).toBe(`key ${sshd.keyFile}`);
    link.close();
    emptyAgent();
  });
});

describe('a server with special requirements', () => {
  const withServer = async (config: string[], act: (server: Sshd) => Promise<void>): Promise<void> => {
    const server = await startSshd({ password: 'open sesame', config });
    bench.know(server);
    try {
      await act(server);
    } finally {
      await server.stop();
    }
  };

  it('gets the password over keyboard-interactive', async () => {
    const config = ['UsePAM yes', 'KbdInteractiveAuthentication yes', 'PasswordAuthentication no'];
    await withServer(config, async (server) => {
      const link = await bench.open(server, { password: 'open sesame' });
      expect(link.authenticatedBy).toBe('password');
      link.close();
      const error = await refusal(bench.open(server, { password: 'nonsense' }));
      expect(error.message).toContain('Tried: password.');
    });
  });

  it('gets both key and password if required', async () => {
    await withServer(['AuthenticationMethods publickey,password'], async (server) => {
      const link = await bench.open(server, { password: 'open sesame', keyFile: server.keyFile });
      expect(link.authenticatedBy).toBe('password');
      link.close();
      const error = await refusal(bench.open(server, { keyFile: server.keyFile }));
      expect(error.message).toContain('was accepted, but the server requires another method');
    });
  });
});
