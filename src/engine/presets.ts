import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sizeOf, type PlanSize } from '../domain/plan/planLength';
import { parsePlan, PlanError } from '../domain/plan/planYaml';
import { FullhouseError, type Handlers } from '../contract/calls';
import type { planCalls } from '../contract/planCalls';
import { systemClock } from './clock';

export interface Preset {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What it belongs to in a list, e.g. `Any server` or `WCS`. */
  readonly group: string;
  readonly size: PlanSize;
  readonly yaml: string;
}

/** Presets lie beside the samples, in a clone as in a packaged app. */
export function presetsFolderOf(samplesFolder: string): string {
  return join(samplesFolder, '..', 'presets');
}

const groupLine = /^# Group: (.*)\n/m;

/** The plans that lie in a folder, by name: the plan's own name is the title, the comment that it begins with says what it is for and its group. */
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
        description: comment.replace(groupLine, '').replace(/^# ?/gm, '').replace(/\s+/g, ' ').trim(),
        group: groupLine.exec(comment)?.[1] ?? 'Other',
        size: sizeOf(plan),
        yaml,
      };
    }),
  );
}

/** What the engine does for each call about plans as text. */
export function makePlanHandlers(presetsFolder: string): Handlers<keyof typeof planCalls> {
  return {
    'plan.parse': ({ yaml }) => {
      try {
        const { plan, warnings } = parsePlan(yaml, systemClock.wall());
        return { plan, warnings: [...warnings] };
      } catch (error) {
        if (error instanceof PlanError) throw new FullhouseError('bad-plan', error.message);
        throw error;
      }
    },
    'plan.presets': () => readPresets(presetsFolder),
  };
}
