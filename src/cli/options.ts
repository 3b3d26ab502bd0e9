import { passwordVariable } from './probePassword';
import { programOptions, type Arguments, type Command, type Option, type OptionValues } from './command';
import { exitCodes } from './exitCodes';
import { UsageError } from './usageError';

/** How options are declared; one that a single command has is declared in that command's module. */

export const flag = (summary: string) => ({ type: 'boolean', summary }) as const;
export const text = <const Value extends string>(value: Value, summary: string) =>
  ({ type: 'string', value, summary }) as const;
export const texts = (value: string, summary: string) => ({ ...text(value, summary), multiple: true }) as const;
export const file = (summary: string, value = 'FILE') => ({ ...text(value, summary), completes: 'file' }) as const;
export const folder = (summary: string) => ({ ...text('DIR', summary), completes: 'folder' }) as const;
export const choice = (value: string, summary: string, words: readonly string[]) =>
  ({ ...text(value, summary), completes: words }) as const;

/** An option with its value when it is not given. */
export const withDefault = <O extends Option>(option: O, value: string) => ({ ...option, default: value }) as const;
/** An option with what applies when it is not given, in words. */
export const otherwise = <O extends Option>(option: O, words: string): O => ({ ...option, otherwise: words });

/** Folder of runs, relative to the current one. */
export const defaultOut = 'runs';

/** The options of all these commands, in the order of the help. */
export const optionsOf = (commands: readonly Command[]): Readonly<Record<string, Option>> =>
  Object.assign({}, programOptions, ...commands.map(({ options }) => options)) as Readonly<Record<string, Option>>;

/** Options that several commands have. */
export const out = file('folder or file of the result', 'PATH');
export const json = flag(
  'print the result as one JSON object in the last line of standard output; progress goes to standard error',
);
export const kbps = text('N', 'bitrate of the stream');
export const seconds = text('N', 'length of the media, or time that each viewer plays');
export const list = { ...flag('list only, write nothing'), formerly: 'look' } as const;
export const junit = file('write the result as JUnit XML');
/** How many viewers, or how long. */
export const forHow = text(
  'N|DURATION',
  'estimate the resources for this many viewers; how long is watched, or each path measured by delay, e.g. 24h or 10s',
);
export const runName = text('NAME', 'name of the run that is saved');
export const preset = text('NAME', 'a preset instead of a plan');
export const set = texts('PATH=VALUE', 'change a field of the plan, e.g. --set pull.viewers=200 --set pull.hold=10s');
export const yes = flag('allow the addresses of the plan without a question; for cleanup: delete what was found');
const acceptHostKey = texts('SHA256:...', 'trust an unknown host key with this fingerprint');

/** Options of commands that contact the nodes of a plan. */
export const planOptions = {
  set,
  yes,
  'allow-hooks': flag(
    'allow what the plan, or the alert rules of watch, do outside of the run: programs, files, secrets, clusters and calls to other addresses; without it each is listed and nothing starts',
  ),
  'accept-host-key': acceptHostKey,
} as const;

/** What was typed about a plan. */
export interface PlanChoices {
  readonly sets: readonly string[];
  /** Programs, files, secrets and clusters that the plan names are allowed. */
  readonly allowHooks: boolean;
  /** The plan's addresses are allowed. */
  readonly yes: boolean;
  /** Fingerprints of host keys to trust. */
  readonly acceptHostKeys: readonly string[];
}

export const planChoices = (values: OptionValues<typeof planOptions>): PlanChoices => ({
  sets: values.set,
  allowHooks: values['allow-hooks'],
  yes: values.yes,
  acceptHostKeys: values['accept-host-key'],
});

/** Of the API of a server that is probed; its password is a variable. */
export const user = text('U', `user of the server's API; its password is in ${passwordVariable}`);
export const selfSigned = { type: 'boolean', summary: "don't check the server's certificate" } as const;

/** Options of commands that connect to one node. */
export const nodeOptions = {
  key: file('private key for SSH'),
  jump: text('HOST', 'jump host for SSH'),
  'accept-host-key': acceptHostKey,
} as const;

export interface NodeChoices {
  readonly keyFile: string | undefined;
  readonly jump: string | undefined;
  readonly acceptHostKeys: readonly string[];
}

export const nodeChoices = (values: OptionValues<typeof nodeOptions>): NodeChoices => ({
  keyFile: values.key,
  jump: values.jump,
  acceptHostKeys: values['accept-host-key'],
});

/** Options of commands that work on a cluster. */
export const clusterOptions = {
  kubeconfig: file('kubeconfig of the cluster'),
  context: text('C', 'context of the kubeconfig'),
  namespace: text('N', 'namespace of the testers'),
} as const;

export const inconclusiveIs = {
  ...choice('pass|fail|CODE', 'exit code of an inconclusive run: that of a pass, of a fail, or a code', [
    'pass',
    'fail',
  ]),
  default: `${exitCodes.inconclusive}`,
} as const;

/** Which namespace of which cluster. */
export interface ClusterChoice {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly namespace: string | undefined;
}

/** The plan of a command, or the name of a preset in place of it. Throws a `UsageError` for both or none. */
export function planOrPreset(
  name: string | undefined,
  { operands: [first], operand }: Pick<Arguments, 'operands' | 'operand'>,
): { readonly plan: string; readonly isPreset: boolean } {
  if (name === undefined) return { plan: operand('PLAN.yaml'), isPreset: false };
  if (first !== undefined) throw new UsageError(`Specify either a plan or a preset: remove "${first}" or --preset.`);
  return { plan: name, isPreset: true };
}
