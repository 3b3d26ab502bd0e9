import { parseArgs } from 'node:util';
import { estimateOptions, readEstimate, type EstimateCommand } from './estimateArgs';
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
  usualStep,
  type GrafanaCommand,
  type ImportCommand,
} from './prometheusArgs';
import {
  readReport,
  readSnapshot,
  shareOptions,
  type ReportCommand,
  type SnapshotCommand,
} from './shareArgs';
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
      /** The plan's hooks may run. */
      readonly allowHooks: boolean;
      /** Where a Prometheus may scrape the figures meanwhile; undefined: nowhere. */
      readonly metrics: { readonly port: number; readonly bind: string | undefined } | undefined;
      /** Files for CI; undefined: none. */
      readonly junit: string | undefined;
      readonly markdown: string | undefined;
      /** Fingerprints of host keys that are to be trusted. */
      readonly acceptHostKeys: readonly string[];
    }
  | {
      readonly command: 'preflight';
      /** Undefined: the catalogue of rules is printed. */
      readonly plan: string | undefined;
      readonly json: boolean;
      readonly sets: readonly string[];
      /** A folder with rules of one's own. */
      readonly rules: string | undefined;
      readonly acceptHostKeys: readonly string[];
    }
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
  | { readonly command: 'show'; readonly run: string; readonly json: boolean };

export const defaultOut = 'runs';

export const usage = `Fullhouse: fill the house before the audience does.

  fullhouse run PLAN.yaml [--out DIR] [--json] [--set a.b=c ...]   run a plan; keeps the run and its report in DIR (${defaultOut})
  fullhouse run --preset NAME --set nodes.origin.whep=URL ...      run a preset with addresses of your own
  fullhouse presets [NAME]                                        list the presets, or print one
  fullhouse preflight PLAN.yaml [--json] [--rules DIR] [--set ...] look at the plan's nodes before the load; starts nothing
  fullhouse report RUN [--format html|junit|markdown|csv]         write a report of a kept run (html), with --redact without what tells whose it is
            [--redact all|KINDS] [--out FILE]
  fullhouse snapshot RUN [--redact all|KINDS] [--out FILE]        write a copy of a kept run for support, without what tells whose it is (all)
            [--list] [--json]                                     or only list what that is
  fullhouse show RUN [--json]                                     show what came of a kept run
${libraryUsage}  fullhouse estimate RUN                                          say what a kept run of several sizes tells of larger audiences
  fullhouse estimate --plan PLAN.yaml [--most N] [--hold 20s]     make a small load in steps for it first (a tenth of the plan's viewers)
            [--for N [--kbps N] [--cores N] [--nic MBIT/S] [--memory GIB]]   and say what N viewers would need
  fullhouse probe ADDRESS [--key FILE] [--jump HOST]              look at a host or URL: what it is and can
  fullhouse remove-agent USER@HOST [--key FILE] [--jump HOST]     take our agent from a tester, whole
  fullhouse history --prometheus URL --from TIME --to TIME        write what a Prometheus kept of a host, as a run's CSV export does
            [--instance HOST:PORT] [--step ${usualStep}] [--out FILE.csv]
  fullhouse import-prometheus --prometheus URL [--look]           say what a Prometheus has that a run can be made of
  fullhouse import-prometheus --prometheus URL --from TIME --to TIME   make a run to look at of it, kept in DIR
            [--step 15s] [--instance HOST:PORT ...] [--job JOB ...] [--query SERIES=PROMQL ...] [--name NAME] [--out DIR]
  fullhouse import-prometheus --resume RUN [--out DIR]            ask again for what is missing of such a run
  fullhouse grafana [--out FILE.json]                             write a dashboard for Grafana over the figures of run --metrics
  fullhouse --help | --version

PLAN.yaml is a plan, e.g. plans/pull-1000-lab.yaml; - reads it from standard input. RUN is a .fullhouse file, or the id of a run in ./${defaultOut}.
--set changes a field of the plan: --set pull.viewers=200 --set pull.hold=10s
--metrics [ADDRESS:]PORT lets a Prometheus scrape the run's figures at http://127.0.0.1:PORT/metrics; at another address with the token in FULLHOUSE_METRICS_TOKEN.
--allow-hooks lets the plan start the programs and tell the addresses that it names.
KINDS are some of addresses, streams, nodes, users, files, names, notes, stills, with commas; keys and tokens always go.
--junit FILE and --markdown FILE write what came of a run for CI (run only).
--json makes the last line of standard output one JSON object. Progress goes to standard error.
--accept-host-key SHA256:... trusts a host key that is not known yet, if it has this fingerprint.
Passwords come from the environment, by the node's name in the plan: FULLHOUSE_TESTER_1_SSH_PASSWORD (SSH_PASSPHRASE, HTTP_PASSWORD, API_SECRET).
TIME is ISO 8601, e.g. 2026-11-21T09:00:00Z; without a zone it is this machine's. A user of the Prometheus is in its URL, the password in FULLHOUSE_PROMETHEUS_HTTP_PASSWORD.
Ctrl-C disconnects all viewers and keeps the run; a second Ctrl-C forces it. SIGTERM and a closed terminal do the same; a closed pipe ends nothing.

Exit code: 0 the verdict is pass; 1 it is fail, inconclusive or stopped; 2 the run could not be made. Of preflight: 1 when a rule fails.`;

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
      if (!allowed.includes(name)) throw new UsageError(`"${command}" knows no --${name}.`);
  };
  const operand = (name: string): string => {
    if (what === undefined) throw new UsageError(`Say which: fullhouse ${command} ${name}`);
    if (more !== undefined) throw new UsageError(`"${more}" is one word too many.`);
    return what;
  };
  switch (command) {
    case 'run':
      only('preset', 'out', 'json', 'set', 'allow-hooks', 'accept-host-key', 'junit', 'markdown', 'metrics');
      return {
        command,
        plan: planOf(values.preset, () => operand('PLAN.yaml'), what),
        isPreset: values.preset !== undefined,
        out: values.out ?? defaultOut,
        json: values.json ?? false,
        sets: values.set ?? [],
        allowHooks: values['allow-hooks'] ?? false,
        metrics: readMetrics(values.metrics),
        junit: values.junit,
        markdown: values.markdown,
        acceptHostKeys: values['accept-host-key'] ?? [],
      };
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
      only(
        'plan',
        'most',
        'hold',
        'out',
        'json',
        'set',
        'accept-host-key',
        'for',
        'kbps',
        'cores',
        'nic',
        'memory',
      );
      if (more !== undefined) throw new UsageError(`"${more}" is one word too many.`);
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
    case 'history':
      only('prometheus', 'instance', 'from', 'to', 'step', 'out');
      if (what !== undefined) throw new UsageError(`"${what}" is one word too many.`);
      return { command, ...rangeOf(values, values.instance?.at(-1)), out: values.out };
    case 'import-prometheus':
      only('prometheus', 'instance', 'job', 'from', 'to', 'step', 'query', 'name', 'look', 'resume', 'out');
      if (what !== undefined) throw new UsageError(`"${what}" is one word too many.`);
      return readImport(values, defaultOut);
    case 'grafana':
      only('out');
      if (what !== undefined) throw new UsageError(`"${what}" is one word too many.`);
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
    case 'show':
      only('json');
      return { command, run: operand('RUN'), json: values.json ?? false };
    case undefined:
    default:
      throw new UsageError(
        `There is no command "${command}"; there are run, presets, preflight, report, snapshot, show, compare, tag, baseline, estimate, history, import-prometheus, grafana, probe and remove-agent.`,
      );
  }
}

function planOf(preset: string | undefined, operand: () => string, what: string | undefined): string {
  if (preset === undefined) return operand();
  if (what !== undefined)
    throw new UsageError(`Either a plan or a preset can be run: leave "${what}" or --preset out.`);
  return preset;
}
