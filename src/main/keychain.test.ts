import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { JsonFile } from './jsonFile';
import { Keychain, savedSecrets, namedSecrets, type Cipher } from './keychain';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fullhouse-keychain-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Inverts every byte: enough to detect that data on disk was encrypted. */
const turned = (data: Buffer): Buffer => Buffer.from(data.map((byte) => byte ^ 0x5a));
const cipher: Cipher = {
  isEncryptionAvailable: () => true,
  encryptString: (text) => turned(Buffer.from(text)),
  decryptString: (data) => turned(data).toString(),
};
const path = (): string => join(folder, 'secrets.json');
const open = (by: Cipher, problems: string[] = []): Keychain =>
  new Keychain(new JsonFile(path(), savedSecrets, {}, (sentence) => problems.push(sentence)), by, (sentence) =>
    problems.push(sentence),
  );

it('returns what it saved, and writes none of it in clear text', () => {
  open(cipher).keep('tester-1', { sshPassword: 'open sesame' });
  expect(readFileSync(path(), 'utf8')).not.toContain('sesame');
  expect(open(cipher).read()).toEqual({ 'tester-1': { sshPassword: 'open sesame' } });
});

it('saves named secrets next to those of nodes', () => {
  const keychain = open(cipher);
  keychain.keep('a', { apiSecret: 'x' });
  keychain.keep(namedSecrets, { TOKEN: 'open sesame' });
  expect(readFileSync(path(), 'utf8')).not.toContain('sesame');
  expect(open(cipher).read()).toEqual({ a: { apiSecret: 'x' }, [namedSecrets]: { TOKEN: 'open sesame' } });
});

it('deletes a node without secrets', () => {
  const keychain = open(cipher);
  keychain.keep('a', { apiSecret: 'x' });
  keychain.keep('a', {});
  expect(open(cipher).read()).toEqual({});
});

it('writes nothing if the system has no keychain, and reports it once', () => {
  const problems: string[] = [];
  const keychain = open({ ...cipher, isEncryptionAvailable: () => false }, problems);
  keychain.keep('a', { sshPassword: 'x' });
  keychain.keep('b', { sshPassword: 'y' });
  expect(() => readFileSync(path())).toThrow();
  expect(problems).toEqual([expect.stringContaining('kept only until Fullhouse ends')]);
});

it('reports a password encrypted by another keychain, and returns the others', () => {
  const problems: string[] = [];
  open(cipher).keep('a', { sshPassword: 'x' });
  open(cipher).keep('b', { sshPassword: 'y' });
  const other: Cipher = {
    ...cipher,
    decryptString: (data) => {
      if (turned(data).toString() === 'x') throw new Error('no');
      return turned(data).toString();
    },
  };
  expect(open(other, problems).read()).toEqual({ b: { sshPassword: 'y' } });
  expect(problems).toEqual([expect.stringContaining("secret of a can't be decrypted")]);
});
