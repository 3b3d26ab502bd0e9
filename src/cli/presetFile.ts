import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nearest } from '../domain/text/closestMatch';
import { presetsFolderOf } from '../engine/library/presets';
import type { Installation } from './installation';
import { UsageError } from './usageError';

/** The file of a preset. Throws a `UsageError` for an unknown name. */
export function presetFile(name: string, { samplesFolder }: Pick<Installation, 'samplesFolder'>): string {
  const file = join(presetsFolderOf(samplesFolder), `${name}.yaml`);
  if (!/^[a-z0-9-]+$/.test(name) || !existsSync(file)) throw unknownPreset(name, []);
  return file;
}

/** With the file of its preset as the plan. */
export const withPresetFile = <Input extends { readonly isPreset: boolean; readonly plan: string }>(
  input: Input,
  installation: Installation,
): Input => (input.isPreset ? { ...input, plan: presetFile(input.plan, installation) } : input);

export function unknownPreset(name: string, known: readonly string[]): UsageError {
  const meant = nearest(name, known);
  return new UsageError(
    `Unknown preset "${name}". ${meant ? `Did you mean "${meant}"?` : '"fullhouse presets" lists them.'}`,
  );
}
