import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Plan } from '../domain/model/plan';
import { secretsWarning } from '../domain/plan/planSecrets';
import { applySet, PlanError } from '../domain/plan/planYaml';
import { systemClock } from '../engine/base/clock';
import { reasonOf } from '../engine/store/failure';

/** As a plan's path: the plan is read from standard input. */
export const standardInput = '-';

/** The plan as it is named in messages. */
export const planSource = (plan: string): string => (plan === standardInput ? 'standard input' : plan);

/** The text of a plan; undefined when it can't be read, which is printed then. */
export async function readPlanText(plan: string, printStatus: (line: string) => void): Promise<string | undefined> {
  const from = planSource(plan);
  try {
    return plan === standardInput ? await text(process.stdin) : readFileSync(plan, 'utf8');
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    printStatus(
      isAbsent
        ? `Plan ${from} does not exist; specify the path of a YAML file, e.g. plans/pull-1000-lab.yaml.`
        : `The plan ${from} can't be read: ${reasonOf(error)}.`,
    );
    return undefined;
  }
}

/** The plan of a command with the changes of `--set`; undefined when it is invalid, which is printed then. */
export async function readPlan(
  command: { readonly plan: string; readonly sets: readonly string[] },
  printStatus: (line: string) => void,
): Promise<Plan | undefined> {
  const from = planSource(command.plan);
  const yaml = await readPlanText(command.plan, printStatus);
  if (yaml === undefined) return undefined;
  try {
    const { plan, warnings } = applySet(yaml, command.sets, systemClock.wall());
    const secret = secretsWarning(plan);
    for (const warning of [...warnings, ...(secret === undefined ? [] : [secret])]) printStatus(`${from}: ${warning}`);
    return plan;
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    printStatus(`${from}: ${error.message}`);
    return undefined;
  }
}
