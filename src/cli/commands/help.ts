import { command, form } from '../command';
import { exitCodes } from '../exitCodes';
import { commandUsage, usage } from '../help/usage';
import { printDocument } from '../print';

export const help = command({
  name: 'help',
  operand: 'command',
  options: {},
  forms: [form('[COMMAND]', 'show this help, or that of a command')],
  examples: ['help run'],
  read: ({ operands: [topic] }) => ({ topic: topic === 'help' ? undefined : topic }),
  run: ({ topic }, _installation, commands) => {
    const of = commands.find(({ name }) => name === topic);
    printDocument(`${of ? commandUsage(of) : usage(commands)}\n`);
    return exitCodes.pass;
  },
});
