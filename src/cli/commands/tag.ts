import { tagOf } from '../../domain/run/tags';
import { noteFault } from '../../domain/text/humanText';
import { command, form } from '../command';
import { changeSavedRun } from '../changeSavedRun';
import { otherwise, text, texts } from '../options';
import { UsageError } from '../usageError';

export const tag = command({
  name: 'tag',
  operand: 'run',
  options: { remove: texts('TAG', 'remove a tag'), note: otherwise(text('TEXT', 'note of the run'), 'unchanged') },
  forms: [form('RUN TAG... [--remove TAG] [--note TEXT]', 'change tags and note of a saved run')],
  examples: ['tag runs/lab.fullhouse zgc before-tuning --note "Heap doubled"'],
  read: ({ operands: [run, ...tags], values: { remove, note } }) => {
    if (run === undefined) throw new UsageError('Specify a run: fullhouse tag RUN TAG...');
    if (tags.length === 0 && remove.length === 0 && note === undefined)
      throw new UsageError('Specify a change: fullhouse tag RUN TAG..., --remove TAG or --note TEXT.');
    const fault = note === undefined ? undefined : noteFault(note);
    if (fault !== undefined) throw new UsageError(`--note: ${fault}`);
    return { run, add: tags.map(cleanTag), remove: remove.map(cleanTag), note };
  },
  run: ({ run: name, add, remove, note }, installation) => {
    const changes = { addTags: add, removeTags: remove, ...(note === undefined ? {} : { note }) };
    return changeSavedRun(name, installation, (runs, run) => runs.call('keep', { run, changes }));
  },
});

function cleanTag(typed: string): string {
  const clean = tagOf(typed);
  if (clean === undefined) throw new UsageError(`"${typed}" is not a tag; tags consist of letters and digits.`);
  return clean;
}
