import { parseArgs } from 'node:util';
import { nearest, suggestion } from '../domain/text/closestMatch';
import type { Call, Command } from './command';
import { commandOf, commands } from './commands/table';
import { optionsOf } from './options';
import { UsageError } from './usageError';

export { UsageError } from './usageError';

const allOptions = optionsOf(commands);

/** What was typed: a command, or only `--version`. */
export type Typed = { readonly name: string } & Call;

/** Reads the arguments after the program's name. Throws a `UsageError`. */
export function parseCommand(args: readonly string[]): Typed | 'version' {
  const { values, positionals } = parsed(args);
  const [word, ...operands] = positionals;
  const { help: isHelp, version: isVersion, ...typed } = values;
  const command = word === undefined ? undefined : known(word);
  if (isHelp || word === 'help') return helpOf(word === 'help' ? operands[0] : word);
  if (isVersion) return 'version';
  if (command === undefined) return helpOf(undefined);
  const options = Object.keys(command.options);
  const stray = Object.keys(typed).find((name) => !options.includes(name));
  if (stray !== undefined)
    throw new UsageError(
      `"${command.name}" has no option --${stray}. ${meantOption(stray, options)}`.trim(),
      command.name,
    );
  return called(command, operands, typed);
}

const helpOf = (topic: string | undefined): Typed =>
  called(known('help'), topic === undefined ? [] : [known(topic).name], {});

function called(command: Command, operands: readonly string[], typed: Parameters<Command['call']>[1]): Typed {
  try {
    return { name: command.name, ...command.call(operands, typed) };
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message, command.name) : error;
  }
}

function known(word: string): Command {
  const command = commandOf(word);
  if (command) return command;
  const names = commands.map(({ name }) => name);
  throw new UsageError(`Unknown command "${word}". ${suggestion(word, names, `Commands: ${names.join(', ')}.`)}`);
}

/** Only what the parser knows of an option; defaults are applied by the command. */
const parserOptions = Object.fromEntries(
  Object.entries(allOptions).map(([name, { type, multiple = false, short }]) => [
    name,
    { type, multiple, ...(short === undefined ? {} : { short }) },
  ]),
);

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: parserOptions });
  } catch (error) {
    const command = args.map(commandOf).find((command) => command !== undefined);
    const { message } = error as Error;
    const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
    if (unknown === undefined) throw new UsageError(message, command?.name);
    const meant = meantOption(unknown.replace(/^-+/, ''), Object.keys(command?.options ?? allOptions));
    throw new UsageError(`Unknown option ${unknown}. ${meant}`.trim(), command?.name);
  }
}

function meantOption(word: string, options: readonly string[]): string {
  const meant = nearest(word, options);
  return meant === undefined ? '' : `Did you mean --${meant}?`;
}

/** Whether `--verbose` is among the arguments of a command that was parsed. */
export const isVerbose = (args: readonly string[]): boolean => args.includes('--verbose');

const renamed = new Map<string, string>(
  Object.entries(allOptions).flatMap(([name, { formerly }]) =>
    formerly === undefined ? [] : [[`--${formerly}`, `--${name}`] as const],
  ),
);

/** The arguments with current names of options, and one warning for each deprecated one. */
export function currentOptions(args: readonly string[]): {
  readonly args: readonly string[];
  readonly warnings: readonly string[];
} {
  const warnings: string[] = [];
  const current = args.map((arg) => {
    const [name = ''] = arg.split('=', 1);
    const now = renamed.get(name);
    if (now === undefined) return arg;
    warnings.push(`${name} is deprecated. Use ${now}.`);
    return `${now}${arg.slice(name.length)}`;
  });
  return { args: current, warnings };
}
