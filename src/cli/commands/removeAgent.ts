import { command, form } from '../command';
import { withCommandEngine } from '../commandEngine';
import { exitCodes } from '../exitCodes';
import { nodeChoices, nodeOptions } from '../options';
import { print } from '../print';

export const removeAgent = command({
  name: 'remove-agent',
  operand: 'text',
  options: nodeOptions,
  forms: [form('USER@HOST [--key FILE] [--jump HOST]', 'uninstall the agent from a tester')],
  examples: ['remove-agent qa@10.0.0.9'],
  exitCodes: { pass: 'no file or process of it is left', fail: 'something is left, which is listed' },
  read: ({ operand, values }) => ({ address: operand('USER@HOST'), ...nodeChoices(values) }),
  // Prints what is left there.
  run: ({ address, keyFile, jump, acceptHostKeys }, installation) =>
    withCommandEngine(installation, { acceptHostKeys }, async ({ client }) => {
      const node = await client.call('nodes.add', {
        name: 'tester',
        settings: { tester: 'ssh', ssh: address, keyFile, jump },
        secrets: {},
      });
      const { remaining } = await client.call('nodes.removeAgent', { node: node.id });
      if (remaining.length === 0) print(`No files or processes are left on ${address}.`);
      else print(`Left on ${address}:`, ...remaining);
      return remaining.length === 0 ? exitCodes.pass : exitCodes.fail;
    }),
});
