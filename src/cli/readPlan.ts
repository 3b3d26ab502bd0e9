import { readFileSync } from 'node:fs';
import type { Plan } from '../domain/plan/plan';
import { secretsWarning } from '../domain/plan/planSecrets';
import { applySet, PlanError } from '../domain/plan/planYaml';
import { systemClock } from '../engine/clock';
import { reasonOf } from '../engine/store/failure';

/** The plan of a command with what `--set` changes in it; undefined when it can't be used, which is said then. */
export function readPlan(
  command: { readonly plan: string; readonly sets: readonly string[] },
  say: (line: string) => void,
): Plan | undefined {
  let text: string;
  try {
    text = readFileSync(command.plan, 'utf8');
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    say(
      isAbsent
        ? `There is no plan ${command.plan}; give the path of a YAML file, e.g. plans/pull-1000-lab.yaml.`
        : `The plan ${command.plan} can't be read: ${reasonOf(error)}.`,
    );
    return undefined;
  }
  try {
    const { plan, warnings } = applySet(text, command.sets, systemClock.wall());
    const secret = secretsWarning(plan);
    for (const warning of [...warnings, ...(secret === undefined ? [] : [secret])])
      say(`${command.plan}: ${warning}`);
    return plan;
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    say(`${command.plan}: ${error.message}`);
    return undefined;
  }
}
