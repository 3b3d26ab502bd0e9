import { parseArgs } from 'node:util';
import { ciOptions, ciUsage, readCi, readComment, type CiCommand, type CommentCommand } from './ciArgs';
import { estimateOptions, readEstimate, type EstimateCommand } from './estimateArgs';
import { fidelityOptions, fidelityUsage, readFidelity, type FidelityCommand } from './fidelityArgs';
import {
  kubernetesOptions,
  kubernetesUsage,
  readCleanup,
  readKubernetes,
  type CleanupCommand,
  type KubernetesCommand,
} from './kubernetesArgs';
import {
  libraryOptions,
  libraryUsage,
  readBaseline,
  readCompare,
  readTag,
  type BaselineCommand,
  type CompareCommand,
  type TagCommand,
} from './libraryArgs';
import {
  grafanaAndImportOptions,
  rangeOf,
  readGrafana,
  readImport,
  readMetrics,
  readOtlp,
  usualStep,
  type GrafanaCommand,
  type ImportCommand,
} from './prometheusArgs';
import { readSample, sampleOptions, sampleUsage, type SampleCommand } from './sampleArgs';
import { readReport, readSnapshot, shareOptions, type ReportCommand, type SnapshotCommand } from './shareArgs';
import { UsageError } from './usageError';

export { UsageError } from './usageError';

export type Command =
  | { readonly command: 'help' | 'version' }
  | {
      readonly command: 'run';
      readonly plan: string;
      /** The plan is the name of a preset. */
      readonly isPreset: boolean;
      readonly out: string;
      readonly json: boolean;
      readonly sets: readonly string[];
      /** The plan's hooks are allowed. */
      readonly allowHooks: boolean;
      /** Where the metrics are exposed during the run; undefined: nowhere. */
      readonly metrics: { readonly port: number; readonly bind: string | undefined } | undefined;
      /** Where they are sent by OTLP; undefined: nowhere. */
      readonly otlp: string | undefined;
      /** Files for CI; undefined: none. */
      readonly junit: string | undefined;
      readonly markdown: string | undefined;
      /** Fingerprints of host keys to trust. */
      readonly acceptHostKeys: readonly string[];
    }
  | {
      readonly command: 'preflight';
      /** Undefined: the catalogue of rules is printed. */
      readonly plan: string | undefined;
      readonly json: boolean;
      readonly sets: readonly string[];
      /** A folder with the user's own rules. */
      readonly rules: string | undefined;
      readonly acceptHostKeys: readonly string[];
    }
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
  | { readonly command: 'schema' }
  | KubernetesCommand
  | CleanupCommand
  | SampleCommand
  | FidelityCommand
  | { readonly command: 'show'; readonly run: string; readonly json: boolean };

export const defaultOut = 'runs';

export const usage = `Fullhouse: fill the house before the audience does.

  fullhouse run PLAN.yaml [--out DIR] [--json] [--set a.b=c ...]   run a plan; save the run and its report in DIR (${defaultOut})
  fullhouse run --preset NAME --set nodes.origin.whep=URL ...      run a preset with your own addresses
  fullhouse presets [NAME]                                        list the presets, or print one
  fullhouse schema                                                print the JSON Schema of plans, for editors
  fullhouse preflight PLAN.yaml [--json] [--rules DIR] [--set ...] check the plan's nodes before a run; starts nothing
  fullhouse report RUN [--format html|junit|markdown|csv|sqlite]  write a report of a saved run (html)
            [--redact all|KINDS] [--out FILE]                     without customer data, if redacted
  fullhouse snapshot RUN [--redact all|KINDS] [--out FILE]        write a redacted copy of a saved run for support (all)
            [--list] [--json]                                     or only list what would be redacted
  fullhouse show RUN [--json]                                     show the result of a saved run
${libraryUsage}${ciUsage}  fullhouse estimate RUN                                          estimate capacity from a saved run with several sizes
  fullhouse estimate --plan PLAN.yaml [--max N] [--hold 20s]      run a calibration load first (a tenth of the plan's viewers)
            [--for N [--kbps N] [--cores N] [--nic MBIT/S] [--memory GIB]]   and estimate the resources for N viewers
${sampleUsage}${fidelityUsage}  fullhouse probe ADDRESS [--key FILE] [--jump HOST]              probe a host or URL for known endpoints
  fullhouse remove-agent USER@HOST [--key FILE] [--jump HOST]     uninstall the agent from a tester
${kubernetesUsage}  fullhouse history --prometheus URL --from TIME --to TIME        export the metrics of a host from Prometheus as CSV
            [--instance HOST:PORT] [--step ${usualStep}] [--out FILE.csv]
  fullhouse import-prometheus --prometheus URL [--list]           list what can be imported from a Prometheus
  fullhouse import-prometheus --prometheus URL --from TIME --to TIME   import a range as a run, saved in DIR
            [--step 15s] [--instance HOST:PORT ...] [--job JOB ...] [--query SERIES=PROMQL ...] [--name NAME] [--out DIR]
  fullhouse import-prometheus --resume RUN [--out DIR]            import the missing data of such a run
  fullhouse grafana [--out FILE.json]                             write a Grafana dashboard for the metrics of run --metrics
  fullhouse --help | --version

PLAN.yaml is a plan, e.g. plans/pull-1000-lab.yaml; - reads it from standard input. RUN is a .fullhouse file, or the id of a run in ./${defaultOut}.
--set changes a field of the plan: --set pull.viewers=200 --set pull.hold=10s
--metrics [ADDRESS:]PORT exposes the run's metrics to Prometheus at http://127.0.0.1:PORT/metrics; other addresses require the token in FULLHOUSE_METRICS_TOKEN.
--otlp URL sends the run's metrics to an OpenTelemetry receiver (OTLP/HTTP), e.g. http://127.0.0.1:4318; headers and certificates are read from OTEL_EXPORTER_OTLP_HEADERS and the like.
--allow-hooks allows the hooks of the plan: programs to run and URLs to call.
KINDS is a comma-separated list of addresses, streams, nodes, users, files, names, notes, stills; keys and tokens are always removed.
--junit FILE writes the result as JUnit XML (run, ci), --markdown FILE as Markdown (run).
--json prints the result as one JSON object in the last line of standard output. Progress goes to standard error.
--verbose prints links, retries, agents and file operations to standard error, with every command.
--accept-host-key SHA256:... trusts an unknown host key with this fingerprint.
Passwords are read from the environment, by the node's name in the plan: FULLHOUSE_TESTER_1_SSH_PASSWORD (SSH_PASSPHRASE, HTTP_PASSWORD, API_SECRET).
TIME is ISO 8601, e.g. 2026-11-21T09:00:00Z; local time without a zone. The user of a Prometheus is part of its URL, the password is in FULLHOUSE_PROMETHEUS_HTTP_PASSWORD.
Ctrl-C disconnects all viewers and saves the run; a second Ctrl-C forces it. SIGTERM and a closed terminal do the same; a closed pipe stops nothing.

Exit code: 0 the verdict is pass; 1 it is fail, inconclusive or stopped; 2 the run could not be started. Of preflight: 1 when a rule fails.`;

/** Reads the arguments after the program's name. Throws a `UsageError`. */
export function parseCommand(args: readonly string[]): Command {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        verbose: { type: 'boolean' },
        out: { type: 'string' },
        json: { type: 'boolean' },
        set: { type: 'string', multiple: true },
        key: { type: 'string' },
        jump: { type: 'string' },
        prometheus: { type: 'string' },
        instance: { type: 'string', multiple: true },
        from: { type: 'string' },
        to: { type: 'string' },
        step: { type: 'string' },
        ...estimateOptions,
        ...libraryOptions,
        ...grafanaAndImportOptions,
        ...shareOptions,
        ...sampleOptions,
        ...fidelityOptions,
        ...ciOptions,
        ...kubernetesOptions,
        preset: { type: 'string' },
        rules: { type: 'string' },
        catalogue: { type: 'boolean' },
        'allow-hooks': { type: 'boolean' },
        'accept-host-key': { type: 'string', multiple: true },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { values, positionals } = parsed;
  if (values.help || (positionals.length === 0 && !values.version)) return { command: 'help' };
  if (values.version) return { command: 'version' };
  const [command, what, more] = positionals;
  const only = (...allowed: Array<keyof typeof values>): void => {
    for (const name of Object.keys(values) as Array<keyof typeof values>)
      if (name !== 'verbose' && !allowed.includes(name)) throw new UsageError(`"${command}" has no option --${name}.`);
  };
  const operand = (name: string): string => {
    if (what === undefined) throw new UsageError(`Missing ${name}: fullhouse ${command} ${name}`);
    if (more !== undefined) throw new UsageError(`Unexpected argument "${more}".`);
    return what;
  };
  switch (command) {
    case 'run':
      only('preset', 'out', 'json', 'set', 'allow-hooks', 'accept-host-key', 'junit', 'markdown', 'metrics', 'otlp');
      return {
        command,
        plan: planOf(values.preset, () => operand('PLAN.yaml'), what),
        isPreset: values.preset !== undefined,
        out: values.out ?? defaultOut,
        json: values.json ?? false,
        sets: values.set ?? [],
        allowHooks: values['allow-hooks'] ?? false,
        metrics: readMetrics(values.metrics),
        otlp: readOtlp(values.otlp),
        junit: values.junit,
        markdown: values.markdown,
        acceptHostKeys: values['accept-host-key'] ?? [],
      };
    case 'ci':
      only(
        ...(['out', 'set', 'allow-hooks', 'accept-host-key', 'baseline'] as const),
        ...(['summary', 'comment', 'junit', 'outputs', 'link'] as const),
      );
      return readCi(operand('PLAN.yaml'), values, defaultOut);
    case 'comment':
      only('pull-request');
      return readComment(operand('FILE'), values);
    case 'preflight':
      only('json', 'rules', 'catalogue', 'set', 'accept-host-key');
      return {
        command,
        plan: values.catalogue ? undefined : operand('PLAN.yaml'),
        json: values.json ?? false,
        sets: values.set ?? [],
        rules: values.rules,
        acceptHostKeys: values['accept-host-key'] ?? [],
      };
    case 'estimate':
      only('plan', 'max', 'hold', 'out', 'json', 'set', 'accept-host-key', 'for', 'kbps', 'cores', 'nic', 'memory');
      if (more !== undefined) throw new UsageError(`Unexpected argument "${more}".`);
      return readEstimate(what, values, defaultOut);
    case 'probe':
    case 'remove-agent':
      only('key', 'jump', 'accept-host-key');
      return {
        command,
        address: operand(command === 'probe' ? 'ADDRESS' : 'USER@HOST'),
        keyFile: values.key,
        jump: values.jump,
        acceptHostKeys: values['accept-host-key'] ?? [],
      };
    case 'kubernetes':
      only('kubeconfig', 'context', 'namespace', 'json', 'set');
      return readKubernetes(positionals.slice(1), values);
    case 'cleanup':
      only('kubeconfig', 'context', 'namespace', 'all', 'yes');
      if (what !== undefined) throw new UsageError(`Unexpected argument "${what}".`);
      return readCleanup(values);
    case 'history':
      only('prometheus', 'instance', 'from', 'to', 'step', 'out');
      if (what !== undefined) throw new UsageError(`Unexpected argument "${what}".`);
      return { command, ...rangeOf(values, values.instance?.at(-1)), out: values.out };
    case 'import-prometheus':
      only('prometheus', 'instance', 'job', 'from', 'to', 'step', 'query', 'name', 'list', 'resume', 'out');
      if (what !== undefined) throw new UsageError(`Unexpected argument "${what}".`);
      return readImport(values, defaultOut);
    case 'grafana':
      only('out');
      if (what !== undefined) throw new UsageError(`Unexpected argument "${what}".`);
      return readGrafana(values);
    case 'report':
      only('out', 'format', 'redact');
      return readReport(operand('RUN'), values);
    case 'snapshot':
      only('out', 'redact', 'list', 'json');
      return readSnapshot(operand('RUN'), values);
    case 'compare':
      only('align', 'table', 'out');
      return readCompare(positionals.slice(1), values);
    case 'tag':
      only('remove', 'note');
      return readTag(what, positionals.slice(2), values);
    case 'baseline':
      only('unset');
      return readBaseline(operand('RUN'), values);
    case 'presets':
      only();
      return { command, name: what === undefined ? undefined : operand('NAME') };
    case 'sample':
      only('codec', 'size', 'kbps', 'seconds', 'out');
      if (what !== undefined) throw new UsageError(`Unexpected argument "${what}".`);
      return readSample(values);
    case 'fidelity':
      only('chromium', 'seconds', 'out', 'json');
      if (what !== undefined) throw new UsageError(`Unexpected argument "${what}".`);
      return readFidelity(values);
    case 'schema':
      only();
      if (what !== undefined) throw new UsageError(`"schema" has no operands: remove "${what}".`);
      return { command };
    case 'show':
      only('json');
      return { command, run: operand('RUN'), json: values.json ?? false };
    case undefined:
    default:
      throw new UsageError(
        `Unknown command "${command}". Commands: run, ci, comment, presets, schema, preflight, report, snapshot, show, compare, tag, baseline, estimate, history, import-prometheus, grafana, sample, fidelity, probe, remove-agent, kubernetes and cleanup.`,
      );
  }
}

/** Whether `--verbose` is among the arguments of a command that was parsed. */
export const isVerbose = (args: readonly string[]): boolean => args.includes('--verbose');

function planOf(preset: string | undefined, operand: () => string, what: string | undefined): string {
  if (preset === undefined) return operand();
  if (what !== undefined) throw new UsageError(`Specify either a plan or a preset: remove "${what}" or --preset.`);
  return preset;
}
