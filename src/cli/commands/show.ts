import { command, form } from '../command';
import { exitCodes } from '../exitCodes';
import { json } from '../options';
import { printJson, printResult } from '../print';
import { resultLines } from '../run/resultLines';
import { withSavedRun } from '../savedRun';

export const show = command({
  name: 'show',
  operand: 'run',
  options: { json },
  forms: [form('RUN [--json]', 'show the result of a saved run')],
  examples: ['show runs/lab.fullhouse', 'show runs/lab.fullhouse --json'],
  read: ({ operand, values }) => ({ run: operand('RUN'), json: values.json }),
  run: (input, installation) =>
    withSavedRun(input.run, installation, async (runs, id, file) => {
      const result = await runs.call('result', { run: id, file, report: null });
      if (input.json) printJson(result);
      else printResult(resultLines((await runs.call('view', { run: id })).verdict, result));
      return exitCodes.pass;
    }),
});
