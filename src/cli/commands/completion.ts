import { command, form } from '../command';
import { exitCodes } from '../exitCodes';
import { completion as scriptOf, shells, type Shell } from '../help/completion';
import { printDocument } from '../print';
import { UsageError } from '../usageError';

export const completion = command({
  name: 'completion',
  operand: shells,
  options: {},
  forms: [form(shells.join('|'), 'print the completion of commands and options for a shell')],
  examples: ['completion bash > ~/.local/share/bash-completion/completions/fullhouse'],
  read: ({ operand }) => ({ shell: shellOf(operand(shells.join('|'))) }),
  run: ({ shell }, _installation, commands) => {
    printDocument(scriptOf(shell, commands));
    return exitCodes.pass;
  },
});

function shellOf(text: string): Shell {
  const shell = shells.find((known) => known === text);
  if (!shell) throw new UsageError(`There is no completion for "${text}". Shells: ${shells.join(', ')}.`);
  return shell;
}
