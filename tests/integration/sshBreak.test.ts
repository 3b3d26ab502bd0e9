import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { once } from 'node:events';
import type { SshLink, SshResult, SshState } from '../../src/engine/links/ssh/sshLink';
import { startSshd, type Sshd } from './servers/sshd';
import { refused, sshBench, expectSoon, type SshBench } from './sshSupport';

let bastion: Sshd;
let sshd: Sshd;
let bench: SshBench;
let link: SshLink | undefined;

beforeAll(async () => {
  [bastion, sshd] = await Promise.all([
    startSshd({ temporaryUser: true }),
    startSshd({ password: 'first', authorizeKey: false }),
  ]);
  bench = sshBench();
  bench.know(bastion);
  bench.know(sshd);
});
afterEach(() => link?.close());
afterAll(async () => {
  bench?.remove();
  await Promise.all([bastion?.stop(), sshd?.stop()]);
});

const watch = (watched: SshLink): SshState[] => {
  const states: SshState[] = [];
  watched.onState((state) => states.push(state));
  return states;
};

/** A started command; resolves with the promise of its end. */
const sleeping = async (on: SshLink): Promise<{ ended: Promise<SshResult> }> => {
  let hasBegun = false;
  const command = await on.follow(['sh', '-c', 'echo; sleep 100'], { line: () => (hasBegun = true) });
  await expectSoon(() => hasBegun);
  return command;
};

describe('an interrupted link', () => {
  it('ends running commands without a code, reports it, and reconnects', async () => {
    link = await bench.open(sshd, { password: 'first' });
    const states = watch(link);
    const lines: string[] = [];
    const running = link.run(['sleep', '100']);
    const command = await link.follow(['sh', '-c', 'echo here; cat'], { line: (line) => lines.push(line) });
    const stream = await link.connect('127.0.0.1', sshd.port);
    await expectSoon(() => lines.length === 1);
    sshd.cut();
    expect(await running).toMatchObject({ code: null });
    expect(await command.ended).toMatchObject({ code: null });
    if (!stream.destroyed) await once(stream, 'close');
    await expectSoon(() => states.includes('live'));
    expect(states).toEqual(['lost', 'live']);
    expect(link.problem).toBeUndefined();
    expect((await link.run(['echo', 'again'])).stdout).toBe('again\n');
  });

  it('refuses commands with its problem while the host is down, and reconnects afterwards', async () => {
    link = await bench.open(sshd, { password: 'first' });
    await sshd.stopListening();
    sshd.cut();
    await expectSoon(() => link?.state === 'lost' && /refused/.test(link.problem?.message ?? ''));
    const error = await refused(link.run(['true']));
    expect(error.code).toBe('link-lost');
    expect(error.message).toContain('refused the connection');
    await sshd.listenAgain();
    link.reconnect();
    await expectSoon(() => link?.state === 'live');
  });

  it('detects a host that stops responding', async () => {
    link = await bench.open(sshd, { password: 'first', options: { keepaliveMs: 200 } });
    const states: [SshState, string | undefined][] = [];
    link.onState((state, problem) => states.push([state, problem?.message]));
    const { ended } = await sleeping(link);
    sshd.freeze();
    expect(await ended).toMatchObject({ code: null });
    expect(states[0]?.[0]).toBe('lost');
    expect(states[0]?.[1]).toContain('it stopped responding');
    await expectSoon(() => link?.state === 'live');
    sshd.thaw();
    sshd.cut();
  });

  it('names the failed hop', async () => {
    link = await bench.open(sshd, { password: 'first', jump: bastion.address, keyFile: bastion.keyFile });
    const problems: string[] = [];
    link.onState((_, problem) => problems.push(problem?.message ?? ''));
    bastion.cut();
    await expectSoon(() => problems.length > 1 && link?.state === 'live');
    expect(problems[0]).toContain('127.0.0.1');
    expect((await link.run(['echo', 'again'])).stdout).toBe('again\n');
  });

  it('does not retry a refused password', async () => {
    let password = 'first';
    link = await bench.open(sshd, {
      options: { secret: (kind) => (kind === 'sshPassword' ? password : undefined) },
    });
    password = 'other';
    sshd.cut();
    await expectSoon(() => link?.problem?.message.includes('rejected the login') ?? false);
    expect(link.state).toBe('lost');
    const failures = (): number => sshd.log().split('Failed password').length;
    const before = failures();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(failures()).toBe(before);
    password = 'first';
    link.reconnect();
    await expectSoon(() => link?.state === 'live');
  });

  it('stops at a changed host key', async () => {
    link = await bench.open(sshd, { password: 'first' });
    const states = watch(link);
    await sshd.changeHostKeys();
    sshd.cut();
    await expectSoon(() => link?.problem?.message.includes('presented a changed host key') ?? false);
    expect(states).not.toContain('live');
  });

  it('is silent after it was closed', async () => {
    link = await bench.open(bastion, { keyFile: bastion.keyFile });
    const { ended } = await sleeping(link);
    link.close();
    expect(await ended).toMatchObject({ code: null });
    expect(link.state).toBe('closed');
    expect((await refused(link.run(['true']))).code).toBe('link-lost');
    link.reconnect();
    expect(link.state).toBe('closed');
  });
});
