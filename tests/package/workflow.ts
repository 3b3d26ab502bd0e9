import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const step = z.strictObject({
  name: z.string(),
  if: z.string().optional(),
  shell: z.string().optional(),
  'working-directory': z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  run: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});
export type WorkflowStep = z.infer<typeof step>;

const job = z.looseObject({
  uses: z.string().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  steps: z.array(step).default([]),
});

const workflow = z.looseObject({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), job),
});

/** A workflow of `.github/workflows`. */
export function readWorkflow(root: string, name: string): z.infer<typeof workflow> {
  return workflow.parse(parse(readFileSync(join(root, '.github', 'workflows', `${name}.yml`), 'utf8')));
}

/** A step of a job by its name. */
export function stepOf(of: z.infer<typeof workflow>, jobName: string, name: string): WorkflowStep {
  const found = of.jobs[jobName]?.steps.find((step) => step.name === name);
  if (!found) throw new Error(`The job ${jobName} has no step "${name}".`);
  return found;
}
