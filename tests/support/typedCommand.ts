import { parseCommand } from '../../src/cli/args';

/** What a command of the command line reads from its arguments, with its name. Throws a `UsageError`. */
export function typedCommand(args: readonly string[]): object {
  const typed = parseCommand(args);
  return typed === 'version' ? { command: typed } : { command: typed.name, ...typed.input };
}
