import { parseArgs } from 'node:util';
import { nearest, suggestion } from '../domain/text/closestMatch';
import type { CheckCommand } from './checkCommand';
import { readCi, readComment, type CiCommand, type CommentCommand } from './ciArgs';
import { defaultOut } from './defaultOut';
import { readEstimate, type EstimateCommand } from './estimateArgs';
import { readInconclusiveIs } from './exitCodes';
import { readFidelity, type FidelityCommand } from './fidelityArgs';
import { commandNames, commandTable, isCommand, type CommandName } from './help/commandTable';
import { optionNames } from './help/optionTable';
import { schemaNames, type SchemaName } from './help/schemaNames';
import { shells, type Shell } from './help/shells';
import { readCleanup, readKubernetes, type CleanupCommand, type KubernetesCommand } from './kubernetesArgs';
import {
  readBaseline,
  readCompare,
  readTag,
  type BaselineCommand,
  type CompareCommand,
  type TagCommand,
} from './libraryArgs';
import { options } from './options';
import {
  rangeOf,
  readGrafana,
  readImport,
  readMetrics,
  readOtlp,
  type GrafanaCommand,
  type ImportCommand,
} from './prometheusArgs';
import { readSample, type SampleCommand } from './sampleArgs';
import { readReport, readSnapshot, type ReportCommand, type SnapshotCommand } from './shareArgs';
import { UsageError } from './usageError';

export { UsageError } from './usageError';

export type Command =
  | { readonly command: 'version' }
  /** `of`: the help of this command only. */
  | { readonly command: 'help'; readonly of?: CommandName | undefined }
  | {
      readonly command: 'run';
      readonly plan: string;
      /** The plan is the name of a preset. */
      readonly isPreset: boolean;
      readonly out: string;
      readonly json: boolean;
      readonly sets: readonly string[];
      /** Programs, files, secrets and clusters that the plan names are allowed. */
      readonly allowHooks: boolean;
      /** The plan's addresses are allowed. */
      readonly yes: boolean;
      /** Where the metrics are exposed during the run; undefined: nowhere. */
      readonly metrics: { readonly port: number; readonly bind: string | undefined } | undefined;
      /** Where they are sent by OTLP; undefined: nowhere. */
      readonly otlp: string | undefined;
      /** Files for CI; undefined: none. */
      readonly junit: string | undefined;
      readonly markdown: string | undefined;
      /** Exit code of an inconclusive run. */
      readonly inconclusiveIs: number;
      /** Fingerprints of host keys to trust. */
      readonly acceptHostKeys: readonly string[];
    }
  | {
      readonly command: 'preflight';
      /** Undefined: the catalogue of rules is printed. */
      readonly plan: string | undefined;
      readonly json: boolean;
      readonly sets: readonly string[];
      /** As for `run`. */
      readonly allowHooks: boolean;
      readonly yes: boolean;
      /** A folder with the user's own rules. */
      readonly rules: string | undefined;
      readonly acceptHostKeys: readonly string[];
    }
  | CheckCommand
  | CiCommand
  | CommentCommand
  | EstimateCommand
  | ImportCommand
  | GrafanaCommand
  | {
      readonly command: 'probe' | 'remove-agent';
      readonly address: string;
      readonly keyFile: string | undefined;
      readonly jump: string | undefined;
      readonly acceptHostKeys: readonly string[];
    }
  | {
      readonly command: 'history';
      /** Of the Prometheus. */
      readonly url: string;
      /** Label of the host there; undefined: its only one. */
      readonly instance: string | undefined;
      readonly fromMs: number;
      readonly toMs: number;
      readonly stepMs: number;
      /** Undefined: standard output. */
      readonly out: string | undefined;
    }
  | ReportCommand
  | SnapshotCommand
  | CompareCommand
  | TagCommand
  | BaselineCommand
  | { readonly command: 'presets'; readonly name: string | undefined }
  | { readonly command: 'schema'; readonly of: SchemaName }
  | KubernetesCommand
  | CleanupCommand
  | SampleCommand
  | FidelityCommand
  | { readonly command: 'completion'; readonly shell: Shell }
  | { readonly command: 'show'; readonly run: string; readonly json: boolean };

/** Reads the arguments after the program's name. Throws a `UsageError`. */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parsedOf(args);
  const [command, what, more] = positionals;
  if (command !== undefined && !isCommand(command)) throw unknownCommand(command);
  if (command === 'help' || values.help) return { command: 'help', of: helpTopic(command === 'help' ? what : command) };
  if (values.version) return { command: 'version' };
  if (command === undefined) return { command: 'help' };
  const own: readonly string[] = commandTable[command].options;
  const stray = Object.keys(values).find((name) => !own.includes(name));
  if (stray !== undefined)
    throw new UsageError(`"${command}" has no option --${stray}. ${meantOption(stray, own)}`.trim(), command);
  try {
    return commandOf(command, { values, positionals, what, more });
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message, command) : error;
  }
}

type Parsed = ReturnType<typeof parse>;
const parse = (args: readonly string[]) => parseArgs({ args: [...args], allowPositionals: true, options });

function parsedOf(args: readonly string[]): Parsed {
  try {
    return parse(args);
  } catch (error) {
    const command = args.find(isCommand);
    const own: readonly string[] = command === undefined ? optionNames : commandTable[command].options;
    const [, unknown] = /^Unknown option '(-[^']*)'/.exec((error as Error).message) ?? [];
    if (unknown === undefined) throw new UsageError((error as Error).message, command);
    throw new UsageError(`Unknown option ${unknown}. ${meantOption(unknown.replace(/^-+/, ''), own)}`.trim(), command);
  }
}

function meantOption(word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  return meant === undefined ? '' : `Did you mean --${meant}?`;
}

const unknownCommand = (word: string): UsageError =>
  new UsageError(
    `Unknown command "${word}". ${suggestion(word, commandNames, `Commands: ${commandNames.join(', ')}.`)}`,
  );

function helpTopic(word: string | undefined): CommandName | undefined {
  if (word === undefined || isCommand(word)) return word === 'help' ? undefined : word;
  throw unknownCommand(word);
}

function commandOf(
  command: Exclude<CommandName, 'help'>,
  {
    values,
    positionals,
    what,
    more,
  }: Parsed & { readonly what: string | undefined; readonly more: string | undefined },
): Command {
  const operand = (name: string): string => {
    if (what === undefined) throw new UsageError(`Missing ${name}: fullhouse ${command} ${name}`);
    if (more !== undefined) throw new UsageError(`Unexpected argument "${more}".`);
    return what;
  };
  switch (command) {
    case 'run':
      return {
        command,
        plan: planOf(values.preset, () => operand('PLAN.yaml'), what),
        isPreset: values.preset !== undefined,
        out: values.out ?? defaultOut,
        json: values.json ?? false,
        sets: values.set ?? [],
        allowHooks: values['allow-hooks'] ?? false,
        yes: values.yes ?? false,
        metrics: readMetrics(values.metrics),
        otlp: readOtlp(values.otlp),
        junit: values.junit,
        markdown: values.markdown,
        inconclusiveIs: readInconclusiveIs(values['inconclusive-is']),
        acceptHostKeys: values['accept-host-key'] ?? [],
      };
    case 'check':
      return {
        command,
        plan: planOf(values.preset, () => operand('PLAN.yaml'), what),
        isPreset: values.preset !== undefined,
        sets: values.set ?? [],
        json: values.json ?? false,
      };
    case 'ci':
      return readCi(operand('PLAN.yaml'), values, defaultOut);
    case 'comment':
      return readComment(operand('FILE'), values);
    case 'preflight':
      return {
        command,
        plan: values.catalogue ? undefined : operand('PLAN.yaml'),
        json: values.json ?? false,
        sets: values.set ?? [],
        allowHooks: values['allow-hooks'] ?? false,
        yes: values.yes ?? false,
        rules: values.rules,
        acceptHostKeys: values['accept-host-key'] ?? [],
      };
    case 'estimate':
      if (more !== undefined) throw new UsageError(`Unexpected argument "${more}".`);
      return readEstimate(what, values, defaultOut);
    case 'probe':
    case 'remove-agent':
      return {
        command,
        address: operand(command === 'probe' ? 'ADDRESS' : 'USER@HOST'),
        keyFile: values.key,
        jump: values.jump,
        acceptHostKeys: values['accept-host-key'] ?? [],
      };
    case 'kubernetes':
      return readKubernetes(positionals.slice(1), values);
    case 'cleanup':
      if (what !== undefined) throw new UsageError(`Unexpected argument "${what}".`);
      return readCleanup(values);
    case 'history':
      if (what !== undefined) throw new UsageError(`Unexpected argument "${what}".`);
      return { command, ...rangeOf(values, values.instance?.at(-1)), out: values.out };
    case 'import-prometheus':
      if (what !== undefined) throw new UsageError(`Unexpected argument "${what}".`);
      return readImport(values, defaultOut);
    case 'grafana':
      if (what !== undefined) throw new UsageError(`Unexpected argument "${what}".`);
      return readGrafana(values);
    case 'report':
      return readReport(operand('RUN'), values);
    case 'snapshot':
      return readSnapshot(operand('RUN'), values);
    case 'compare':
      return readCompare(positionals.slice(1), values);
    case 'tag':
      return readTag(what, positionals.slice(2), values);
    case 'baseline':
      return readBaseline(operand('RUN'), values);
    case 'presets':
      return { command, name: what === undefined ? undefined : operand('NAME') };
    case 'sample':
      if (what !== undefined) throw new UsageError(`Unexpected argument "${what}".`);
      return readSample(values);
    case 'fidelity':
      if (what !== undefined) throw new UsageError(`Unexpected argument "${what}".`);
      return readFidelity(values);
    case 'schema':
      return { command, of: what === undefined ? 'plan' : schemaOf(operand(schemaNames.join('|'))) };
    case 'completion':
      return { command, shell: shellOf(operand(shells.join('|'))) };
    case 'show':
      return { command, run: operand('RUN'), json: values.json ?? false };
  }
}

function schemaOf(text: string): SchemaName {
  const name = schemaNames.find((each) => each === text);
  if (!name) throw new UsageError(`There is no schema of "${text}". Schemas: ${schemaNames.join(', ')}.`);
  return name;
}

function shellOf(text: string): Shell {
  const shell = shells.find((each) => each === text);
  if (!shell) throw new UsageError(`There is no completion for "${text}". Shells: ${shells.join(', ')}.`);
  return shell;
}

/** Whether `--verbose` is among the arguments of a command that was parsed. */
export const isVerbose = (args: readonly string[]): boolean => args.includes('--verbose');

function planOf(preset: string | undefined, operand: () => string, what: string | undefined): string {
  if (preset === undefined) return operand();
  if (what !== undefined) throw new UsageError(`Specify either a plan or a preset: remove "${what}" or --preset.`);
  return preset;
}
