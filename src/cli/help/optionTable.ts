import { alignments } from '../../domain/compare/curves';
import { keepableKinds } from '../../domain/redaction/identifyingValues';
import { reportFormats } from '../shareArgs';
import { sampleCodecs } from '../sampleArgs';
import { exitCodes } from '../exitCodes';
import type { OptionName } from '../options';

export interface OptionHelp {
  /** Placeholder of the value; absent: a switch. */
  readonly value?: string;
  readonly summary: string;
  /** What a shell completes; words are a choice. */
  readonly completes?: 'file' | 'folder' | readonly string[];
}

const file = (summary: string, value = 'FILE'): OptionHelp => ({ value, summary, completes: 'file' });
const folder = (summary: string): OptionHelp => ({ value: 'DIR', summary, completes: 'folder' });
const text = (value: string, summary: string): OptionHelp => ({ value, summary });
const choice = (value: string, summary: string, words: readonly string[]): OptionHelp => ({
  value,
  summary,
  completes: words,
});
const only = (summary: string): OptionHelp => ({ summary });

/** Kinds of customer data, as `--redact` names them. */
const kinds = keepableKinds.map((kind) => (kind === 'address' ? 'addresses' : `${kind}s`)).join(', ');

/** What each option does, in the order of the help. */
export const optionTable: Readonly<Record<OptionName, OptionHelp>> = {
  help: only('show this help'),
  version: only('show the version'),
  verbose: only('print links, retries, agents and file operations to standard error'),
  out: file('folder or file of the result', 'PATH'),
  json: only(
    'print the result as one JSON object in the last line of standard output; progress goes to standard error',
  ),
  set: text('PATH=VALUE', 'change a field of the plan, e.g. --set pull.viewers=200 --set pull.hold=10s'),
  preset: text('NAME', 'a preset instead of a plan'),
  'allow-hooks': only(
    'allow what the plan does outside of its run: programs, files, secrets, clusters and calls to other addresses; without it each is listed and nothing starts',
  ),
  metrics: text(
    '[ADDRESS:]PORT',
    "expose the run's metrics to Prometheus at http://127.0.0.1:PORT/metrics; other addresses require the token in FULLHOUSE_METRICS_TOKEN",
  ),
  otlp: text(
    'URL',
    "send the run's metrics to an OpenTelemetry receiver (OTLP/HTTP), e.g. http://127.0.0.1:4318; headers and certificates are read from OTEL_EXPORTER_OTLP_HEADERS and the like",
  ),
  junit: file('write the result as JUnit XML'),
  markdown: file('write the result as Markdown'),
  'inconclusive-is': {
    value: 'pass|fail|CODE',
    summary: `exit code of an inconclusive run: that of a pass, of a fail, or a code (${exitCodes.inconclusive})`,
    completes: ['pass', 'fail'],
  },
  'accept-host-key': text('SHA256:...', 'trust an unknown host key with this fingerprint'),
  rules: folder('a folder with your own rules of the preflight'),
  catalogue: only('list the rules of the preflight'),
  format: choice('FORMAT', `format of the report: ${reportFormats.join(', ')}`, reportFormats),
  redact: text(
    'KINDS',
    `remove customer data: all, or a comma-separated list of ${kinds}; keys and tokens are always removed`,
  ),
  list: only('list only, write nothing'),
  align: choice('AXIS', 'what the runs are compared on', alignments),
  table: choice('TABLE', 'the table that SRS publishes', ['srs']),
  remove: text('TAG', 'remove a tag'),
  note: text('TEXT', 'note of the run'),
  unset: only('no longer a baseline'),
  baseline: file('run files and folders of them: the first run is the baseline, the others its repeats', 'RUN|DIR'),
  summary: file('append the result as Markdown'),
  comment: file('write the text of a comment on a pull request'),
  outputs: file('append verdict and paths as key=value'),
  link: text('URL', 'address of run file and report, for the Markdown'),
  'pull-request': text('N', 'number of the pull request'),
  plan: file('a plan for the calibration load', 'PLAN.yaml'),
  max: text('N', 'max viewers of the calibration load'),
  hold: text('DURATION', 'time at each size, e.g. 20s'),
  for: text('N', 'estimate the resources for this many viewers'),
  kbps: text('N', 'bitrate of the stream'),
  cores: text('N', 'cores of the server'),
  nic: text('MBIT/S', 'bandwidth of the server'),
  memory: text('GIB', 'memory of the server'),
  codec: choice('CODEC', 'codec of the video', Object.keys(sampleCodecs)),
  size: text('WIDTHxHEIGHT', 'size of the video'),
  seconds: text('N', 'length of the media, or time that each viewer plays'),
  chromium: file('program of the browser', 'PATH'),
  key: file('private key for SSH'),
  jump: text('HOST', 'jump host for SSH'),
  kubeconfig: file('kubeconfig of the cluster'),
  context: text('C', 'context of the kubeconfig'),
  namespace: text('N', 'namespace of the testers'),
  all: only('also those of running consoles and of other users'),
  yes: only('allow the addresses of the plan without a question; for cleanup: delete what was found'),
  prometheus: text(
    'URL',
    'address of the Prometheus; its user is part of the URL, the password is in FULLHOUSE_PROMETHEUS_HTTP_PASSWORD',
  ),
  instance: text('HOST:PORT', 'label of the host in the Prometheus'),
  job: text('JOB', 'label of the job in the Prometheus'),
  from: text('TIME', 'start of the range'),
  to: text('TIME', 'end of the range'),
  step: text('DURATION', 'interval of the data, e.g. 15s'),
  query: text('SERIES=PROMQL', 'a query for a series'),
  name: text('NAME', 'name of the imported run'),
  resume: text('RUN', 'continue the import of this run'),
};

export const optionNames = Object.keys(optionTable) as readonly OptionName[];
