import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHostKeys } from './hostKeys';
import type { HostKeys } from './sshLink';
import { fingerprintOf } from './knownHosts';
import { sshString } from './wireFormat';

const key = (fill: number, type = 'ssh-ed25519'): Buffer =>
  Buffer.concat([sshString(type), sshString(Buffer.alloc(32, fill))]);
const words = (blob: Buffer, type = 'ssh-ed25519'): string => `${type} ${blob.toString('base64')}`;
const hashed = (name: string): string => {
  const salt = Buffer.alloc(20, 5);
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`;
};

let folder: string;
let hostKeys: HostKeys;
const known = (text: string): void => writeFileSync(join(folder, 'known_hosts'), text);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-keys-'));
  hostKeys = openHostKeys({ ownFile: join(folder, 'deep', 'own'), sshFolder: folder });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('known hosts', () => {
  it('matches a host by name, list, wildcard, port and hash', () => {
    known(
      [
        '# a comment, then typical malformed lines',
        'garbage',
        `box.example,10.0.0.1 ${words(key(1))} me@home`,
        `*.lab.example,!bad.lab.example ${words(key(2))}`,
        `[port.example]:2222 ${words(key(3))}`,
        `${hashed('hidden.example')} ${words(key(4))}`,
        `${hashed('[hidden.example]:2200')} ${words(key(5))}`,
        `host?.example ${words(key(6))}`,
      ].join('\n'),
    );
    const cases: [string, number, number][] = [
      ['box.example', 22, 1],
      ['BOX.example', 22, 1],
      ['10.0.0.1', 22, 1],
      ['a.lab.example', 22, 2],
      ['port.example', 2222, 3],
      ['hidden.example', 22, 4],
      ['hidden.example', 2200, 5],
      ['host1.example', 22, 6],
    ];
    for (const [host, port, fill] of cases)
      expect([host, hostKeys.question(host, port, key(fill))]).toEqual([host, undefined]);
    for (const [host, port] of [
      ['bad.lab.example', 22],
      ['port.example', 22],
      ['box.example', 2222],
      ['boxxexample', 22],
      ['host12.example', 22],
    ] as const)
      expect([host, hostKeys.question(host, port, key(1))?.state]).toEqual([host, 'unknown']);
  });

  it("distinguishes a changed key from an unknown one, and names the known one's place", () => {
    known(`\nbox ${words(key(1))}\nbox ${words(key(9, 'ssh-rsa'), 'ssh-rsa')}\n`);
    expect(hostKeys.question('box', 22, key(2))).toEqual({
      state: 'changed',
      host: 'box',
      keyType: 'ssh-ed25519',
      fingerprint: fingerprintOf(key(2)),
      known: { fingerprint: fingerprintOf(key(1)), where: `${join(folder, 'known_hosts')} line 2` },
    });
    expect(hostKeys.question('other', 2200, key(2))).toMatchObject({
      state: 'unknown',
      host: '[other]:2200',
    });
    expect(hostKeys.question('box', 22, key(2, 'ecdsa-sha2-nistp256'))?.state).toBe('unknown');
    expect(hostKeys.knownTypes('box', 22)).toEqual(['ssh-ed25519', 'ssh-rsa']);
  });

  it('accepts a host with several keys of one type', () => {
    known(`box ${words(key(1))}\nbox ${words(key(2))}\n`);
    expect(hostKeys.question('box', 22, key(2))).toBeUndefined();
  });

  it('rejects a revoked key even if trusted elsewhere, and tolerates authorities', () => {
    known(`@cert-authority * ${words(key(8))}\nbox ${words(key(1))}\n@revoked * ${words(key(1))}\n`);
    const question = hostKeys.question('box', 22, key(1));
    expect(question?.state).toBe('changed');
    expect(question?.known?.fingerprint).toBe(question?.fingerprint);
    expect(question?.known?.where).toContain('line 3 (@revoked)');
    hostKeys.trust('box', 22, key(1));
    expect(hostKeys.question('box', 22, key(1))?.state).toBe('changed');
    expect(hostKeys.question('fresh', 22, key(8))?.state).toBe('unknown');
  });

  it('reads other files where the config names them', () => {
    known(`box ${words(key(1))}\n`);
    const other = join(folder, 'other');
    writeFileSync(other, `box ${words(key(2))}\n`);
    expect(hostKeys.question('box', 22, key(2), [other])).toBeUndefined();
    expect(hostKeys.question('box', 22, key(1), [other])?.state).toBe('changed');
  });
});

describe("the app's own file", () => {
  it('saves a trusted key, readable by the user only, and replaces the previous one', () => {
    known(`box ${words(key(1))}\n`);
    const own = join(folder, 'deep', 'own');
    hostKeys.trust('box', 22, key(2));
    hostKeys.trust('other', 2222, key(3));
    hostKeys.trust('box', 22, key(4));
    expect(hostKeys.question('box', 22, key(4))).toBeUndefined();
    expect(hostKeys.question('box', 22, key(2))?.state).toBe('changed');
    expect(readFileSync(own, 'utf8')).toBe(`[other]:2222 ${words(key(3))}\nbox ${words(key(4))}\n`);
    expect(statSync(own).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'known_hosts'), 'utf8')).toBe(`box ${words(key(1))}\n`);
  });

  it('may be absent: only the usual files are trusted', () => {
    known(`box ${words(key(1))}\n`);
    const readOnly = openHostKeys({ sshFolder: folder });
    expect(readOnly.question('box', 22, key(1))).toBeUndefined();
    expect(() => readOnly.trust('other', 22, key(2))).toThrow("The key of other can't be saved");
  });
});
