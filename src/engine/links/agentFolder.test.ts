import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureMedia, ensureRemoteAgent, removeRemoteAgent, type AgentHost } from './remoteAgent';

/** Files are given to another user, which only root can do. */
const asRoot = process.getuid?.() === 0;
const stranger = 4242;
let root: string;
let home: string;
let agents: string;
let samples: string;
let tampered: ((path: string) => void) | undefined;

/** This machine as a tester, with its own home folder. */
const host: AgentHost = {
  run: (argv, options) =>
    new Promise((resolve) => {
      const [program = '', ...args] = argv;
      const child = spawn(program, args, { env: { PATH: process.env['PATH'], HOME: home } });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (text) => (stdout += String(text)));
      child.stderr.on('data', (text) => (stderr += String(text)));
      child.on('error', (error) => resolve({ code: 127, stdout, stderr: error.message }));
      child.on('close', (code) => resolve({ code, stdout, stderr }));
      child.stdin.on('error', () => undefined);
      child.stdin.end(options?.input ?? '');
    }),
  upload: (from, to, mode) => {
    copyFileSync(from, to);
    chmodSync(to, mode);
    tampered?.(to);
    return Promise.resolve();
  },
  connect: () => Promise.reject(new Error('Unexpected call.')),
};

/** A program that reports that it listens, and leaves a trace when it is executed. */
const agentScript = (): string => `#!/bin/sh
echo "$0 $*" >> ${root}/executed
case "$1" in start) echo '{"type":"listening","protocol":3,"agent":"0.1.0","role":"audience","address":"127.0.0.1:1","pid":1}';; esac
exit 0
`;

const executed = (): boolean => existsSync(join(root, 'executed'));
const start = (): Promise<unknown> =>
  ensureRemoteAgent(host, { who: 't', agentFolder: agents, samplesFolder: samples });

function write(path: string, bytes: number, mode = 0o600): string {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  writeFileSync(path, 'x'.repeat(bytes), { mode });
  return path;
}

/** What an agent leaves in its folder. */
function installIn(folder: string): void {
  for (const name of ['fullhouse-agent-0123456789ab', 'fullhouse-agent-0123456789ab.00ff.part', 'agent.json'])
    write(join(folder, name), 1000);
  for (const name of ['agent.log', '.agent-1.json', '.probe-1', 'samples/sample-240p.h264'])
    write(join(folder, name), 1000);
  write(join(folder, 'media', 'clip-0123456789ab.mp4'), 14_700_000);
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fullhouse-agent-folder-')));
  chmodSync(root, 0o755);
  home = join(root, 'home');
  agents = join(root, 'agents');
  samples = join(root, 'samples');
  for (const folder of [home, agents, samples]) mkdirSync(folder, { mode: 0o700 });
  for (const name of ['sample-240p.h264', 'sample-240p.ogg']) writeFileSync(join(samples, name), name);
  writeFileSync(join(agents, 'agent'), agentScript());
  const sha256 = createHash('sha256').update(agentScript()).digest('hex');
  const built = { file: 'agent', sha256, bytes: 1, version: '0.1.0' };
  writeFileSync(join(agents, 'agents.json'), JSON.stringify({ 'linux-x64': built, 'linux-arm64': built }));
  tampered = undefined;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const cache = (): string => join(home, '.cache', 'fullhouse');

describe('removing the agent', () => {
  it('removes its own folder', async () => {
    installIn(cache());
    expect(await removeRemoteAgent(host, 't')).toEqual([]);
    expect(existsSync(cache())).toBe(false);
  });

  it('removes what it has installed behind a link to a folder of its user', async () => {
    const disk = join(root, 'disk');
    installIn(disk);
    mkdirSync(join(home, '.cache'), { mode: 0o700 });
    symlinkSync(disk, cache());
    expect(await removeRemoteAgent(host, 't')).toEqual([]);
    expect(existsSync(disk)).toBe(false);
    expect(readdirSync(join(home, '.cache'))).toEqual([]);
  });

  it('removes what it has installed behind a link of a folder above or within', async () => {
    const disk = join(root, 'disk');
    installIn(join(disk, 'fullhouse'));
    symlinkSync(disk, join(home, '.cache'));
    const media = join(root, 'media');
    write(join(media, 'clip-0123456789ab.mp4'), 10);
    rmSync(join(disk, 'fullhouse', 'media'), { recursive: true });
    symlinkSync(media, join(disk, 'fullhouse', 'media'));
    expect(await removeRemoteAgent(host, 't')).toEqual([]);
    expect(readdirSync(disk)).toEqual([]);
    expect(existsSync(join(media, 'clip-0123456789ab.mp4'))).toBe(false);
  });

  it('keeps what it has not installed behind a link, and reports it with its size', async () => {
    const important = join(root, 'important');
    installIn(important);
    const thesis = write(join(important, 'thesis.tex'), 2_500_000);
    write(join(important, 'media', 'family.mp4'), 7);
    write(join(important, 'media', '\u001b[2Jx'), 7);
    mkdirSync(join(home, '.cache'), { mode: 0o700 });
    symlinkSync(important, cache());
    expect(await removeRemoteAgent(host, 't')).toEqual(
      expect.arrayContaining([`${thesis} (2.5 MB)`, `${join(important, 'media', 'family.mp4')} (7 bytes)`]),
    );
    expect((await removeRemoteAgent(host, 't')).join('')).not.toContain('\u001b');
    expect(statSync(thesis).size).toBe(2_500_000);
    expect(existsSync(join(important, 'media', 'family.mp4'))).toBe(true);
    expect(existsSync(join(important, 'media', 'clip-0123456789ab.mp4'))).toBe(false);
    expect(existsSync(join(important, 'agent.json'))).toBe(false);
  });

  it.runIf(asRoot)('follows no link of another user, runs nothing behind it, and reports it', async () => {
    const important = join(root, 'important');
    installIn(important);
    writeFileSync(join(important, 'fullhouse-agent-0123456789ab'), agentScript(), { mode: 0o755 });
    mkdirSync(join(home, '.cache'), { mode: 0o777 });
    symlinkSync(important, cache());
    lchownSync(cache(), stranger, stranger);
    const before = readdirSync(important);
    const left = await removeRemoteAgent(host, 't');
    expect(left.join()).toContain(`${cache()} is a symbolic link of another user (uid ${stranger})`);
    expect(readdirSync(important)).toEqual(before);
    expect(lstatSync(cache()).isSymbolicLink()).toBe(true);
    expect(executed()).toBe(false);
  });

  it.runIf(asRoot)('runs no program of another user to stop the agent', async () => {
    installIn(cache());
    const planted = join(cache(), 'fullhouse-agent-planted');
    writeFileSync(planted, agentScript(), { mode: 0o755 });
    chownSync(planted, stranger, stranger);
    expect(await removeRemoteAgent(host, 't')).toEqual([]);
    expect(executed()).toBe(false);
  });
});

describe('starting the agent', () => {
  it('creates a folder that only its user can read, and runs the verified program', async () => {
    await start();
    expect(statSync(cache()).mode & 0o777).toBe(0o700);
    expect(executed()).toBe(true);
  });

  it('does not run a program that is not the one it has uploaded', async () => {
    tampered = (path) => path.includes('fullhouse-agent-') && writeFileSync(path, `${agentScript()}# changed`);
    await expect(start()).rejects.toThrow(/differs from the one that was uploaded/);
    expect(executed()).toBe(false);
  });

  it.runIf(asRoot).each([
    ['a folder of another user', () => chownSync(cache(), stranger, stranger), /belongs to another user \(uid 4242\)/],
    ['a folder that others can write to', () => chmodSync(cache(), 0o777), /is writable for other users/],
    [
      'a folder within one that others can write to',
      () => chmodSync(join(home, '.cache'), 0o777),
      /\.cache is writable for other users/,
    ],
    ['a folder within one of another user', () => chownSync(join(home, '.cache'), stranger, stranger), /another user/],
    [
      'a link of another user',
      () => {
        rmSync(cache(), { recursive: true });
        mkdirSync(join(root, 'elsewhere'), { mode: 0o700 });
        symlinkSync(join(root, 'elsewhere'), cache());
        lchownSync(cache(), stranger, stranger);
      },
      /is a symbolic link of another user/,
    ],
  ])('refuses %s before it uploads or runs anything', async (_, prepare, sentence) => {
    mkdirSync(cache(), { recursive: true, mode: 0o700 });
    let uploads = 0;
    tampered = () => (uploads += 1);
    prepare();
    await expect(start()).rejects.toThrow(sentence);
    await expect(ensureMedia(host, 't', join(samples, 'sample-240p.ogg'), 'a.ogg')).rejects.toThrow(sentence);
    expect({ uploads, executed: executed() }).toEqual({ uploads: 0, executed: false });
  });

  it.runIf(asRoot)('replaces a program of another user, even one with the right content', async () => {
    await start();
    const [name = ''] = readdirSync(cache()).filter((each) => each.startsWith('fullhouse-agent-'));
    const program = join(cache(), name);
    chownSync(program, stranger, stranger);
    rmSync(join(root, 'executed'));
    let uploads = 0;
    tampered = (path) => {
      uploads += 1;
      rmSync(path, { force: true });
      writeFileSync(path, agentScript(), { mode: 0o700 });
    };
    await start();
    expect(uploads).toBe(1);
    expect(statSync(program).uid).toBe(0);
  });
});
