import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { JsonFile } from '../jsonFile';
import { keepOldData, startedVersion } from './versionChange';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'fullhouse-data-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const versionFile = () => new JsonFile(join(data, 'version.json'), startedVersion, {}, () => undefined);
const start = (version: string) => keepOldData(data, version, versionFile());
function write(name: string, text: string): void {
  writeFileSync(join(data, name), text);
}

it('copies nothing on the first start, and none of the same version', () => {
  expect(start('0.1.0')).toBeUndefined();
  write('settings.json', '{}');
  expect(start('0.1.0')).toBeUndefined();
  expect(existsSync(join(data, 'backups'))).toBe(false);
});

it('copies the data of the previous version before another one, but no runs', () => {
  start('0.1.0');
  write('settings.json', '{"theme":"light"}');
  write('secrets.json', '{}');
  for (const folder of ['rules', 'runs']) mkdirSync(join(data, folder));
  write(join('rules', 'own.yaml'), 'x');
  write(join('runs', 'a.fullhouse'), 'x');
  versionFile().write({ version: '0.1.0', offered: { version: '0.2.0', notes: 'Faster.' } });
  const change = start('0.2.0');
  expect(change).toEqual({ from: '0.1.0', notes: 'Faster.', backup: join(data, 'backups', '0.1.0') });
  expect(readFileSync(join(data, 'backups', '0.1.0', 'settings.json'), 'utf8')).toBe('{"theme":"light"}');
  expect(readdirSync(join(data, 'backups', '0.1.0')).sort()).toEqual([
    'rules',
    'secrets.json',
    'settings.json',
    'version.json',
  ]);
  expect(readdirSync(join(data, 'backups', '0.1.0', 'rules'))).toEqual(['own.yaml']);
  expect(start('0.2.0')).toBeUndefined();
});

it('recognises data of a version that wrote none', () => {
  write('settings.json', '{}');
  expect(start('0.2.0')).toEqual({ backup: join(data, 'backups', 'earlier') });
});

it('keeps three, the latest ones', () => {
  write('settings.json', '{}');
  for (const version of ['0.1.0', '0.2.0', '0.3.0', '0.4.0', '0.5.0', '../../0.6.0']) start(version);
  expect(readdirSync(join(data, 'backups')).sort()).toEqual(['0.3.0', '0.4.0', '0.5.0']);
  start('0.7.0');
  // A forged version leaves no folder elsewhere.
  expect(readdirSync(join(data, 'backups')).sort()).toEqual(['--..-0.6.0', '0.4.0', '0.5.0']);
});

it('copies again at the next start when copying has failed', () => {
  start('0.1.0');
  write('settings.json', '{}');
  write('backups', 'a file in its place');
  expect(() => start('0.2.0')).toThrow();
  rmSync(join(data, 'backups'));
  expect(start('0.2.0')).toMatchObject({ from: '0.1.0' });
});
