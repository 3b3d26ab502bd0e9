import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const step = z.object({
  name: z.string(),
  if: z.string().optional(),
  shell: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  run: z.string().optional(),
  uses: z.string().optional(),
});
export type ActionStep = z.infer<typeof step>;

const action = z.object({
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string().optional() })),
  runs: z.object({ using: z.literal('composite'), steps: z.array(step) }),
});

export function readAction(root: string): z.infer<typeof action> {
  return action.parse(parse(readFileSync(join(root, '.github', 'actions', 'fullhouse', 'action.yml'), 'utf8')));
}

/**
 * The environment of a step as GitHub would set it. Only the expressions in `values` are known; another one throws, so
 * that the test has to be extended with the action.
 */
export function environmentOf(
  { env = {} }: ActionStep,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
        const value = values[expression];
        if (value === undefined) throw new Error(`The action uses "${expression}", which the test does not know.`);
        return value;
      }),
    ]),
  );
}

const template = z.object({
  '.fullhouse': z.object({ script: z.array(z.string()), variables: z.record(z.string(), z.string()) }),
});

/** The job of the GitLab template. */
export function readTemplate(root: string): z.infer<typeof template>['.fullhouse'] {
  return template.parse(parse(readFileSync(join(root, 'build', 'ci', 'gitlab.yml'), 'utf8')))['.fullhouse'];
}
