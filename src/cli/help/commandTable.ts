import { letters, maxCompared, minCompared } from '../../domain/compare/comparison';
import { defaultOut } from '../defaultOut';
import { usualSeconds } from '../fidelityArgs';
import type { OptionName } from '../options';
import { usualStep } from '../prometheusArgs';
import { sampleCodecs, usualSample } from '../sampleArgs';
import { reportFormats } from '../shareArgs';
import { schemaNames } from './schemaNames';
import { shells } from './shells';

/** One way to call a command. */
export interface CommandForm {
  /** Operands and options as typed; starts with the second word of a command that has one. */
  readonly words: string;
  readonly summary: string;
}

export interface CommandHelp {
  /** What a shell completes as the first operand; words are a choice. */
  readonly operand?: 'plan' | 'run' | 'file' | readonly string[];
  readonly options: readonly OptionName[];
  readonly forms: readonly CommandForm[];
}

const table = <Name extends string>(commands: Readonly<Record<Name, CommandHelp>>): typeof commands => {
  const withCommon = Object.entries<CommandHelp>(commands).map(([name, command]) => [
    name,
    { ...command, options: [...command.options, 'verbose'] },
  ]);
  return Object.fromEntries(withCommon) as typeof commands;
};
const form = (words: string, summary: string): CommandForm => ({ words, summary });

const cluster = ['kubeconfig', 'context', 'namespace'] as const satisfies readonly OptionName[];
const node = ['key', 'jump', 'accept-host-key'] as const satisfies readonly OptionName[];

const commands = table({
  run: {
    operand: 'plan',
    options: [
      ...(['preset', 'out', 'json', 'set', 'yes', 'allow-hooks', 'accept-host-key'] as const),
      ...(['junit', 'markdown', 'inconclusive-is', 'metrics', 'otlp'] as const),
    ],
    forms: [
      form(
        'PLAN.yaml [--out DIR] [--json] [--set a.b=c ...]',
        `run a plan; save the run and its report in DIR (${defaultOut})`,
      ),
      form('--preset NAME --set nodes.origin.whep=URL ...', 'run a preset with your own addresses'),
    ],
  },
  check: {
    operand: 'plan',
    options: ['preset', 'set', 'json'],
    forms: [
      form(
        'PLAN.yaml [--set a.b=c ...] [--json]',
        'validate a plan and all it names on this machine, each fault with file and line; contacts nothing',
      ),
    ],
  },
  presets: { options: [], forms: [form('[NAME]', 'list the presets, or print one')] },
  schema: {
    operand: schemaNames,
    options: [],
    forms: [
      form(
        `[${schemaNames.join('|')}]`,
        'print the JSON Schema of plans, for editors, or of the result of a run as JSON',
      ),
    ],
  },
  preflight: {
    operand: 'plan',
    options: ['json', 'rules', 'catalogue', 'set', 'yes', 'allow-hooks', 'accept-host-key'],
    forms: [
      form('PLAN.yaml [--json] [--rules DIR] [--set ...]', "check the plan's nodes before a run; starts nothing"),
      form('--catalogue [--json]', 'list the rules'),
    ],
  },
  report: {
    operand: 'run',
    options: ['out', 'format', 'redact'],
    forms: [
      form(
        `RUN [--format ${reportFormats.join('|')}] [--redact all|KINDS] [--out FILE]`,
        'write a report of a saved run (html); without customer data, if redacted',
      ),
    ],
  },
  snapshot: {
    operand: 'run',
    options: ['out', 'redact', 'list', 'json'],
    forms: [
      form(
        'RUN [--redact all|KINDS] [--out FILE] [--list] [--json]',
        'write a redacted copy of a saved run for support (all), or only list what would be redacted',
      ),
    ],
  },
  show: { operand: 'run', options: ['json'], forms: [form('RUN [--json]', 'show the result of a saved run')] },
  compare: {
    operand: 'run',
    options: ['align', 'table', 'out'],
    forms: [
      form(
        'RUN RUN [RUN ...] [--align viewers|time] [--table srs] [--out FILE.md|csv|html]',
        `compare ${minCompared} to ${maxCompared} runs, the oldest as ${letters[0]}`,
      ),
    ],
  },
  tag: {
    operand: 'run',
    options: ['remove', 'note'],
    forms: [form('RUN TAG... [--remove TAG] [--note TEXT]', 'change tags and note of a saved run')],
  },
  baseline: {
    operand: 'run',
    options: ['unset'],
    forms: [form('RUN [--unset]', 'mark a run as baseline for later runs of its test')],
  },
  ci: {
    operand: 'plan',
    options: [
      ...(['out', 'set', 'yes', 'allow-hooks', 'accept-host-key', 'baseline'] as const),
      ...(['summary', 'comment', 'junit', 'outputs', 'link', 'inconclusive-is'] as const),
    ],
    forms: [
      form(
        'PLAN.yaml [--baseline RUN|DIR ...] [--set a.b=c ...] [--summary FILE] [--comment FILE] [--junit FILE] [--outputs FILE] [--link URL] [--out DIR]',
        'run a plan in CI, compare it with a baseline, and write a summary, the text of a comment, JUnit XML, and verdict and paths as key=value',
      ),
    ],
  },
  comment: {
    operand: 'file',
    options: ['pull-request'],
    forms: [form('FILE --pull-request N', 'create or update this text as a comment (GitHub)')],
  },
  estimate: {
    operand: 'run',
    options: [
      ...(['plan', 'max', 'hold', 'out', 'json', 'set', 'yes', 'allow-hooks', 'accept-host-key'] as const),
      ...(['for', 'kbps', 'cores', 'nic', 'memory'] as const),
    ],
    forms: [
      form('RUN', 'estimate capacity from a saved run with several sizes'),
      form(
        '--plan PLAN.yaml [--max N] [--hold 20s] [--for N [--kbps N] [--cores N] [--nic MBIT/S] [--memory GIB]]',
        "run a calibration load first (a tenth of the plan's viewers) and estimate the resources for N viewers",
      ),
    ],
  },
  sample: {
    options: ['codec', 'size', 'kbps', 'seconds', 'out'],
    forms: [
      form(
        `[--codec ${Object.keys(sampleCodecs).join('|')}] [--size ${usualSample.size}] [--kbps ${usualSample.kbps}] [--seconds ${usualSample.seconds}] [--out DIR]`,
        'make test media with ffmpeg, as a loop to publish: clock and frame counter, also machine-readable',
      ),
    ],
  },
  fidelity: {
    options: ['chromium', 'seconds', 'out', 'json'],
    forms: [
      form(
        `[--chromium PATH] [--seconds ${usualSeconds}] [--json] [--out FILE.md|FILE.json]`,
        'compare what a server receives from viewers and from Chromium, on this machine',
      ),
    ],
  },
  probe: {
    options: node,
    forms: [form('ADDRESS [--key FILE] [--jump HOST]', 'probe a host or URL for known endpoints')],
  },
  'remove-agent': {
    options: node,
    forms: [form('USER@HOST [--key FILE] [--jump HOST]', 'uninstall the agent from a tester')],
  },
  kubernetes: {
    operand: ['manifest', 'role', 'check'],
    options: [...cluster, 'json', 'set'],
    forms: [
      form('manifest PLAN.yaml [--set ...]', 'print the Role, Job and Secret of testers in a cluster'),
      form('role [--namespace N]', 'print the Role that a user of the cluster needs for them'),
      form(
        'check [--context C] [--namespace N] [--kubeconfig FILE] [--json]',
        'list what the user of the kubeconfig may do there',
      ),
    ],
  },
  cleanup: {
    options: [...cluster, 'all', 'yes'],
    forms: [
      form(
        '[--context C] [--namespace N] [--all] [--yes] [--kubeconfig FILE]',
        'list testers that a crashed console left in a cluster; with --yes delete them',
      ),
    ],
  },
  history: {
    options: ['prometheus', 'instance', 'from', 'to', 'step', 'out'],
    forms: [
      form(
        `--prometheus URL --from TIME --to TIME [--instance HOST:PORT] [--step ${usualStep}] [--out FILE.csv]`,
        'export the metrics of a host from Prometheus as CSV',
      ),
    ],
  },
  'import-prometheus': {
    options: [
      ...(['prometheus', 'instance', 'job', 'from', 'to', 'step'] as const),
      ...(['query', 'name', 'list', 'resume', 'out'] as const),
    ],
    forms: [
      form('--prometheus URL [--list]', 'list what can be imported from a Prometheus'),
      form(
        '--prometheus URL --from TIME --to TIME [--step 15s] [--instance HOST:PORT ...] [--job JOB ...] [--query SERIES=PROMQL ...] [--name NAME] [--out DIR]',
        'import a range as a run, saved in DIR',
      ),
      form('--resume RUN [--prometheus URL] [--out DIR]', 'import the missing data of such a run'),
    ],
  },
  grafana: {
    options: ['out'],
    forms: [form('[--out FILE.json]', 'write a Grafana dashboard for the metrics of run --metrics')],
  },
  completion: {
    operand: shells,
    options: [],
    forms: [form(shells.join('|'), 'print the completion of commands and options for a shell')],
  },
});

/** All commands with their options: read by the parser, `--help`, the man page and the completions. */
export const commandTable = {
  ...commands,
  ...table({
    help: {
      operand: Object.keys(commands),
      options: [],
      forms: [form('[COMMAND]', 'show this help, or that of a command')],
    },
  }),
};

export type CommandName = keyof typeof commandTable;

export const isCommand = (text: string | undefined): text is CommandName =>
  text !== undefined && Object.hasOwn(commandTable, text);

export const commandNames = Object.keys(commandTable) as readonly CommandName[];
