import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SshLink } from '../../src/engine/links/ssh/sshLink';
import { sshBench, type SshBench } from './sshSupport';
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
  it('gets in by password', () => {
    expect(link.authenticatedBy).toBe('password');
    expect(link.state).toBe('live');
    expect(link.remote).toEqual({ user: sshd.user, host: '127.0.0.1', port: sshd.port });
  });

  it('brings every word as it is', async () => {
    const words = [
      "it's",
      '"quoted"',
      '$(id)',
      '`id`',
      'a\nb',
      '',
      ' ',
      '*',
      '~',
      '\\',
      '!',
      'é',
      '-n',
      '#',
      ';',
    ];
    const result = await link.run(['sh', '-c', 'for word; do printf "%s\\0" "$word"; done', 'sh', ...words]);
    expect(result.stdout.split('\0').slice(0, -1)).toEqual(words);
    expect(result).toMatchObject({ code: 0, stderr: '' });
  });

  it('gives input, exit code and error output', async () => {
    const result = await link.run(['sh', '-c', 'cat; echo bad >&2; exit 3'], { input: 'hello' });
    expect(result).toEqual({ code: 3, stdout: 'hello', stderr: 'bad\n' });
  });

  it('gets in by key', async () => {
    const byKey = await bench.open(sshd, { keyFile: sshd.keyFile });
    expect(byKey.authenticatedBy).toContain('client');
    byKey.close();
  });

  it('uploads', async () => {
    const from = join(bench.folder, 'file');
    writeFileSync(from, Buffer.alloc(300_000, 7));
    await link.upload(from, `${sshd.home}/there`, 0o750);
    expect(readFileSync(`${sshd.home}/there`).equals(readFileSync(from))).toBe(true);
    expect(statSync(`${sshd.home}/there`).mode & 0o777).toBe(0o750);
  });
});
