import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nearest } from '../domain/text/closestMatch';
import { presetsFolderOf, readPresets } from '../engine/library/presets';
import type { Installation } from './installation';
import { UsageError } from './usageError';
import { print, printDocument } from './print';

/** Lists the presets, or prints one of them unchanged. */
export async function presetsCommand(
  name: string | undefined,
  installation: Pick<Installation, 'samplesFolder'>,
): Promise<number> {
  const presets = await readPresets(presetsFolderOf(installation.samplesFolder));
  if (name === undefined) {
    const width = Math.max(...presets.map((preset) => preset.name.length));
    print(...presets.map(({ name: each, title }) => `${each.padEnd(width)}  ${title}`));
    print('', 'To create your own: fullhouse presets NAME > my-plan.yaml');
    return 0;
  }
  const found = presets.find((preset) => preset.name === name);
  if (!found)
    throw unknownPreset(
      name,
      presets.map((preset) => preset.name),
    );
  printDocument(found.yaml);
  return 0;
}

/** The file of a preset. Throws a `UsageError` for an unknown name. */
export function presetFile(name: string, { samplesFolder }: Pick<Installation, 'samplesFolder'>): string {
  const file = join(presetsFolderOf(samplesFolder), `${name}.yaml`);
  if (!/^[a-z0-9-]+$/.test(name) || !existsSync(file)) throw unknownPreset(name, []);
  return file;
}

function unknownPreset(name: string, known: readonly string[]): UsageError {
  const meant = nearest(name, known);
  return new UsageError(
    `Unknown preset "${name}". ${meant ? `Did you mean "${meant}"?` : '"fullhouse presets" lists them.'}`,
  );
}
