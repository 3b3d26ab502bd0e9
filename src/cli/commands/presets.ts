import { presetsFolderOf, readPresets } from '../../engine/library/presets';
import { command, form } from '../command';
import { exitCodes } from '../exitCodes';
import type { Installation } from '../installation';
import { unknownPreset } from '../presetFile';
import { print, printDocument } from '../print';

export const presets = command({
  name: 'presets',
  operand: 'text',
  options: {},
  forms: [form('[NAME]', 'list the presets, or print one')],
  examples: ['presets', 'presets smoke-10 > my-plan.yaml'],
  read: ({ operands, operand }) => ({ preset: operands.length === 0 ? undefined : operand('NAME') }),
  run: ({ preset }, installation) => printPresets(preset, installation),
});

/** Lists the presets, or prints one of them unchanged. */
async function printPresets(
  name: string | undefined,
  { samplesFolder }: Pick<Installation, 'samplesFolder'>,
): Promise<number> {
  const presets = await readPresets(presetsFolderOf(samplesFolder));
  const names = presets.map((preset) => preset.name);
  if (name === undefined) {
    const width = Math.max(...names.map(({ length }) => length));
    print(...presets.map((preset) => `${preset.name.padEnd(width)}  ${preset.title}`));
    print('', 'To create your own: fullhouse presets NAME > my-plan.yaml');
    return exitCodes.pass;
  }
  const found = presets.find((preset) => preset.name === name);
  if (!found) throw unknownPreset(name, names);
  printDocument(found.yaml);
  return exitCodes.pass;
}
