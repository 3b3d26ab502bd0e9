import { command, form } from '../command';
import { changeSavedRun } from '../changeSavedRun';
import { flag } from '../options';

export const baseline = command({
  name: 'baseline',
  operand: 'run',
  options: { unset: flag('no longer a baseline') },
  forms: [form('RUN [--unset]', 'mark a run as baseline for later runs of its test')],
  examples: ['baseline runs/lab.fullhouse', 'baseline runs/lab.fullhouse --unset'],
  read: ({ operand, values }) => ({ run: operand('RUN'), isBaseline: !values.unset }),
  run: ({ run: name, isBaseline }, installation) =>
    changeSavedRun(name, installation, (runs, run) => runs.call('setBaseline', { run, isBaseline })),
});
