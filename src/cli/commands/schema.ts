import { resultJsonSchema } from '../../contract/runResult';
import { planJsonSchema } from '../../domain/plan/fields/plan';
import { command, form } from '../command';
import { exitCodes } from '../exitCodes';
import { printDocument } from '../print';
import { UsageError } from '../usageError';

/** What it prints the JSON Schema of. */
const schemas = { plan: () => planJsonSchema, result: resultJsonSchema } as const;
type SchemaName = keyof typeof schemas;
const names = Object.keys(schemas) as readonly SchemaName[];

export const schema = command({
  name: 'schema',
  operand: names,
  options: {},
  forms: [
    form(`[${names.join('|')}]`, 'print the JSON Schema of plans, for editors, or of the result of a run as JSON'),
  ],
  examples: ['schema > plan.schema.json', 'schema result'],
  read: ({ operands, operand }) => ({ of: operands.length === 0 ? 'plan' : nameOf(operand(names.join('|'))) }),
  run: ({ of }) => {
    printDocument(`${JSON.stringify(schemas[of](), null, 2)}\n`);
    return exitCodes.pass;
  },
});

function nameOf(text: string): SchemaName {
  const name = names.find((known) => known === text);
  if (!name) throw new UsageError(`There is no schema of "${text}". Schemas: ${names.join(', ')}.`);
  return name;
}
