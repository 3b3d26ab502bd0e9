import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Plan } from '../domain/plan/plan';
import { secretsWarning } from '../domain/plan/planSecrets';
import { applySet, PlanError } from '../domain/plan/planYaml';
import { systemClock } from '../engine/clock';
import { reasonOf } from '../engine/store/failure';

/** As a plan's path: the plan comes by standard input. */
const standardInput = '-';

/** The plan of a command with what `--set` changes in it; undefined when it can't be used, which is said then. */
export async function readPlan(
  command: { readonly plan: string; readonly sets: readonly string[] },
  say: (line: string) => void,
): Promise<Plan | undefined> {
  const from = command.plan === standardInput ? 'standard input' : command.plan;
  let yaml: string;
  try {
    yaml = command.plan === standardInput ? await text(process.stdin) : readFileSync(command.plan, 'utf8');
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    say(
      isAbsent
        ? `There is no plan ${from}; give the path of a YAML file, e.g. plans/pull-1000-lab.yaml.`
        : `The plan ${from} can't be read: ${reasonOf(error)}.`,
    );
    return undefined;
  }
  try {
    const { plan, warnings } = applySet(yaml, command.sets, systemClock.wall());
    const secret = secretsWarning(plan);
    for (const warning of [...warnings, ...(secret === undefined ? [] : [secret])])
      say(`${from}: ${warning}`);
    return plan;
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    say(`${from}: ${error.message}`);
    return undefined;
  }
}
