import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sizeOf, type PlanSize } from '../../domain/duration/planLength';
import { parsePlan } from '../../domain/plan/planYaml';

export interface Preset {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Its group in a list, e.g. `Any server` or `WCS`. */
  readonly group: string;
  readonly size: PlanSize;
  readonly yaml: string;
}

/** Presets are next to the samples, in a clone as in a packaged app. */
export function presetsFolderOf(samplesFolder: string): string {
  return join(samplesFolder, '..', 'presets');
}

const groupLine = /^# Group: (.*)\n/m;
/** For editors: `fullhouse schema` writes that file. */
const editorLine = /^# yaml-language-server: .*\n/m;

/** The plans in a folder, by name: the plan's name is the title, its first comment contains description and group. */
export async function readPresets(folder: string): Promise<Preset[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml')).sort();
  return Promise.all(
    files.map(async (file) => {
      const yaml = await readFile(join(folder, file), 'utf8');
      const comment = /^(?:#.*\n)+/.exec(yaml)?.[0] ?? '';
      const { plan } = parsePlan(yaml);
      return {
        name: file.replace(/\.yaml$/, ''),
        title: plan.name,
        description: comment
          .replace(editorLine, '')
          .replace(groupLine, '')
          .replace(/^# ?/gm, '')
          .replace(/\s+/g, ' ')
          .trim(),
        group: groupLine.exec(comment)?.[1] ?? 'Other',
        size: sizeOf(plan),
        yaml,
      };
    }),
  );
}
