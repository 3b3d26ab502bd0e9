import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { presetFile, presetsCommand } from './presetsCommand';
import { UsageError } from './usageError';

const root = join(__dirname, '..', '..');
const installation = {
  samplesFolder: join(root, 'assets', 'lab'),
};

let said = '';
vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
  said += String(text);
  return true;
});
afterEach(() => (said = ''));

it('lists the presets and prints one unchanged', async () => {
  await presetsCommand(undefined, installation);
  expect(said).toMatch(/^smoke-10 +Smoke test with 10 viewers$/m);
  said = '';
  await presetsCommand('spike', installation);
  expect(said).toMatch(/^# yaml-language-server: .*\n# Group: Any server\n# A constant audience/);
});

it('suggests the closest name, and searches no other folder', async () => {
  await expect(presetsCommand('spik', installation)).rejects.toThrow('Did you mean "spike"?');
  expect(presetFile('spike', installation)).toMatch(/spike\.yaml$/);
  for (const name of ['nope', '../lab/README', '']) expect(() => presetFile(name, installation)).toThrow(UsageError);
});
