import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { instanceSocket, removeStaleSocket } from './staleSocket';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A data folder with the socket of an instance. */
function instance(prefix: string): { readonly data: string; readonly socket: string } {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  folders.push(folder);
  const data = join(folder, 'data');
  mkdirSync(data);
  const socket = join(folder, 'SingletonSocket');
  writeFileSync(socket, '');
  symlinkSync(socket, join(data, 'SingletonSocket'));
  return { data, socket };
}

it.runIf(process.platform !== 'win32')('removes the folder of the socket of a killed instance', () => {
  const { data, socket } = instance('scoped_dir');
  expect(instanceSocket(data)).toBe(socket);
  removeStaleSocket(instanceSocket(data));
  expect(existsSync(socket)).toBe(false);
});

it.runIf(process.platform !== 'win32')('removes no other folder', () => {
  const { data, socket } = instance('important-');
  removeStaleSocket(instanceSocket(data));
  expect(existsSync(socket)).toBe(true);
});

it('needs no earlier instance', () => {
  expect(instanceSocket(join(tmpdir(), 'fullhouse-no-such-folder'))).toBeUndefined();
  removeStaleSocket(undefined);
});
