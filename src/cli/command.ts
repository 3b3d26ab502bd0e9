import { exitCodes } from './exitCodes';
import type { Installation } from './installation';
import { UsageError } from './usageError';

/** An option of the command line: what the parser, `--help`, man page, completions and docs/commands.md know of it. */
export interface Option {
  readonly type: 'boolean' | 'string';
  readonly multiple?: true;
  readonly short?: string;
  /** Placeholder of the value; absent: a switch. */
  readonly value?: string;
  readonly summary: string;
  /** What a shell completes; words are a choice. */
  readonly completes?: 'file' | 'folder' | readonly string[];
  /** Its value when it is not given. */
  readonly default?: string;
  /** The default in words, where it is not a value of the option. */
  readonly otherwise?: string;
  /** Its deprecated name, still accepted with a warning. */
  readonly formerly?: string;
}

/** Options that are not of one command. */
export const programOptions = {
  help: { type: 'boolean', summary: 'show this help', short: 'h' },
  version: { type: 'boolean', summary: 'show the version', short: 'v' },
  /** An option of every command. */
  verbose: { type: 'boolean', summary: 'print links, retries, agents and file operations to standard error' },
} as const satisfies Readonly<Record<string, Option>>;

type Options = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> = O['type'] extends 'boolean'
  ? boolean
  : O extends { readonly multiple: true }
    ? readonly string[]
    : O extends { readonly default: string }
      ? string
      : string | undefined;

export type OptionValues<O extends Options> = { readonly [Name in keyof O]: ValueOf<O[Name]> };

/** The arguments of a command, with the defaults of its options. */
export interface Arguments<O extends Options = Options> {
  readonly values: OptionValues<O>;
  /** Names of the options that were typed. */
  readonly given: ReadonlySet<string>;
  /** What follows the command's name besides options. */
  readonly operands: readonly string[];
  /** The only operand; `name` is what it is called in messages. Throws a `UsageError` for none or several. */
  readonly operand: (name: string) => string;
}

/** One way to call a command. */
interface Form {
  /** Operands and options as typed; starts with the second word of a command that has one. */
  readonly words: string;
  readonly summary: string;
}

export const form = (words: string, summary: string): Form => ({ words, summary });

/** What a shell completes as an operand: files of a kind, the name of a command, one of these words, or nothing. */
export type Operand = 'plan' | 'run' | 'file' | 'command' | 'text' | readonly string[];

type ExitName = keyof typeof exitCodes;

interface Definition<O extends Options, Input extends object> {
  readonly name: string;
  /** Absent: it takes no operand. */
  readonly operand?: Operand;
  readonly options: O;
  readonly forms: readonly Form[];
  /** Complete lines, for docs/commands.md; `fullhouse` in front is left out. */
  readonly examples: readonly string[];
  /** What its exit codes mean; others than these are not used. */
  readonly exitCodes?: Readonly<Partial<Record<ExitName, string>>>;
  /** Checks the arguments. Throws a `UsageError`. */
  readonly read: (args: Arguments<O>) => Input;
  /** Resolves with the exit code; `commands` is the table of all of them. */
  readonly run: (input: Input, installation: Installation, commands: readonly Command[]) => number | Promise<number>;
}

/** What was typed, checked and ready to run. */
export interface Call {
  readonly input: object;
  run(installation: Installation, commands: readonly Command[]): number | Promise<number>;
}

/** A command of the table. */
export interface Command {
  readonly name: string;
  readonly operand: Operand | undefined;
  readonly options: Options;
  readonly forms: readonly Form[];
  readonly examples: readonly string[];
  readonly exitCodes: ReadonlyArray<readonly [code: number, meaning: string]>;
  /** Throws a `UsageError`. */
  call(operands: readonly string[], typed: Readonly<Record<string, TypedValue>>): Call;
}

type TypedValue = string | boolean | ReadonlyArray<string | boolean> | undefined;

const usualCodes = { pass: 'done', notStarted: 'invalid arguments, or it could not be done' } as const;

/** Declares a command: one module of src/cli/commands, and a row in their table. */
export function command<const O extends Options, Input extends object>(definition: Definition<O, Input>): Command {
  const { name, operand, options, forms, examples, read, run } = definition;
  const codes: Partial<Record<ExitName, string>> = { ...usualCodes, ...definition.exitCodes };
  return {
    ...{ name, operand, forms, examples },
    options: { ...options, verbose: programOptions.verbose },
    exitCodes: (Object.keys(exitCodes) as ExitName[]).flatMap((code) => {
      const meaning = codes[code];
      return meaning === undefined ? [] : [[exitCodes[code], meaning] as const];
    }),
    call: (operands, typed) => {
      if (operand === undefined) requireNone(operands);
      const input = read({
        values: valuesOf(options, typed),
        given: new Set(Object.keys(typed)),
        operands,
        operand: (what) => onlyOperand(name, what, operands),
      });
      return { input, run: async (installation, commands) => run(input, installation, commands) };
    },
  };
}

function valuesOf<O extends Options>(options: O, typed: Readonly<Record<string, TypedValue>>): OptionValues<O> {
  const entries = Object.entries(options).map(([name, option]) => {
    const absent = option.type === 'boolean' ? false : option.multiple ? [] : option.default;
    return [name, typed[name] ?? absent];
  });
  return Object.fromEntries(entries) as OptionValues<O>;
}

function requireNone([first]: readonly string[]): void {
  if (first !== undefined) throw new UsageError(`Unexpected argument "${first}".`);
}

function onlyOperand(command: string, what: string, [first, ...more]: readonly string[]): string {
  if (first === undefined) throw new UsageError(`Missing ${what}: fullhouse ${command} ${what}`);
  requireNone(more);
  return first;
}
