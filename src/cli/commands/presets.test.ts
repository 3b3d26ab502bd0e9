import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { Installation } from '../installation';
import { presetFile } from '../presetFile';
import { UsageError } from '../usageError';
import { presets } from './presets';

const root = join(__dirname, '..', '..', '..');
const installation = { samplesFolder: join(root, 'assets', 'lab') } as Installation;
const print = async (...names: string[]) => presets.call(names, {}).run(installation, []);

let said = '';
vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
  said += String(text);
  return true;
});
afterEach(() => (said = ''));

it('lists the presets and prints one unchanged', async () => {
  await print();
  expect(said).toMatch(/^smoke-10 +Smoke test with 10 viewers$/m);
  said = '';
  await print('spike');
  expect(said).toMatch(/^# yaml-language-server: .*\n# Group: Any server\n# A constant audience/);
});

it('suggests the closest name, and searches no other folder', async () => {
  await expect(print('spik')).rejects.toThrow('Did you mean "spike"?');
  expect(presetFile('spike', installation)).toMatch(/spike\.yaml$/);
  for (const name of ['nope', '../lab/README', '']) expect(() => presetFile(name, installation)).toThrow(UsageError);
});
