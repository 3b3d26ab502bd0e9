import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { kubeLogin } from './kubeconfig';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-kubeconfig-'));
  folders.push(folder);
  writeFileSync(join(folder, 'any'), text);
  return join(folder, 'any');
}

function faultOf(settings: Parameters<typeof kubeLogin>[0]): string | undefined {
  try {
    kubeLogin(settings);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

it.each([
  ['a list of accounts', 'root:$6$planted:19000:0:99999:7:::\ndaemon:*:1:planted'],
  ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nplanted==\n-----END OPENSSH PRIVATE KEY-----\n'],
  ['broken YAML', 'a: 1\nb: [planted, {planted'],
  ['an alias', 'clusters: *planted'],
  ['a tag', 'clusters: !planted x'],
  ['other YAML', 'planted: { planted: [planted] }'],
  ['a list', '- planted'],
  ['a word', 'planted'],
  ['an incomplete one', 'clusters: [{ cluster: { server: planted } }]'],
  [
    'one without a current context',
    'clusters: [{ name: planted, cluster: { server: "https://planted" } }]\nusers: []\ncontexts: [{ name: planted, context: { cluster: planted, user: planted } }]',
  ],
])('an error of a file that a plan names quotes nothing of it: %s', (_, text) => {
  const path = fileWith(text);
  for (const context of [undefined, 'other']) {
    const message = faultOf({ kubeconfig: path, context });
    expect(message).toBeDefined();
    expect(message).not.toMatch(/planted|root|BEGIN/);
  }
});

it('an error states where and what is wrong', () => {
  expect(faultOf({ kubeconfig: fileWith('a: 1\nb: [x, {') })).toMatch(
    /is not a usable kubeconfig: line \d is not valid YAML\.$/,
  );
  const incomplete = fileWith('clusters: [{ cluster: { server: "https://x" } }]');
  expect(faultOf({ kubeconfig: incomplete })).toMatch(/clusters\.0\.name is missing or not valid\.$/);
});
