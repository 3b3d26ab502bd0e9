/** An environment variable that the product reads. */
interface Variable {
  /** What reads it. */
  readonly by: 'app' | 'command line' | 'both' | 'agent' | 'all';
  readonly meaning: string;
  /** What applies where it is not set. */
  readonly otherwise: string;
  /** A package reads it, not our code. */
  readonly isOfPackage?: true;
}

/** All of them but those named after nodes and secrets (`domain/secrets`); docs/environment.md is made of this table. */
export const variables = {
  FULLHOUSE_DATA: {
    by: 'app',
    meaning: "folder of the app's data: settings, logs, known hosts",
    otherwise: '`Fullhouse` in the folder for data of apps',
  },
  FULLHOUSE_RUNS: {
    by: 'app',
    meaning: 'folder of runs, before the one of the settings',
    otherwise: 'the folder of the settings',
  },
  FULLHOUSE_TIMINGS: {
    by: 'app',
    meaning: '`1`: prints the duration of the start as lines of JSON on standard output',
    otherwise: 'nothing is printed',
  },
  FULLHOUSE_METRICS_TOKEN: {
    by: 'command line',
    meaning: 'token that `run --metrics` requires of Prometheus',
    otherwise: 'none on loopback; for other addresses one is generated and printed',
  },
  FULLHOUSE_PROMETHEUS_HTTP_PASSWORD: {
    by: 'command line',
    meaning: 'password of the user in `--prometheus`',
    otherwise: 'required with a user',
  },
  OTEL_METRIC_EXPORT_INTERVAL: {
    by: 'command line',
    meaning: 'interval of `run --otlp` in ms; min 1000',
    otherwise: '5000',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    by: 'command line',
    meaning: 'headers of `run --otlp`, such as credentials',
    otherwise: 'none',
  },
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: {
    by: 'command line',
    meaning: 'the same, for metrics only',
    otherwise: 'none',
  },
  OTEL_EXPORTER_OTLP_CERTIFICATE: {
    by: 'command line',
    meaning: 'certificate of the receiver of `run --otlp`; other `OTEL_EXPORTER_OTLP_…` as OpenTelemetry defines them',
    otherwise: 'those of the system',
    isOfPackage: true,
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    by: 'command line',
    meaning: 'attributes of the resource of `run --otlp`; `OTEL_SERVICE_NAME` too',
    otherwise: 'those of the run',
    isOfPackage: true,
  },
  GITHUB_TOKEN: { by: 'command line', meaning: 'token of the job, for `comment`', otherwise: 'required' },
  GITHUB_REPOSITORY: {
    by: 'command line',
    meaning: 'owner and name of the repository, for `comment`; GitHub sets it',
    otherwise: 'required',
  },
  GITHUB_API_URL: {
    by: 'command line',
    meaning: 'address of the API, for `comment`; GitHub sets it',
    otherwise: '`https://api.github.com`',
  },
  FONT: {
    by: 'command line',
    meaning: 'a TrueType file for the clock that `sample` draws',
    otherwise: 'the first monospaced font found',
  },
  NO_COLOR: {
    by: 'command line',
    meaning: 'if not empty: no colours',
    otherwise: 'colours on a terminal',
    isOfPackage: true,
  },
  KUBECONFIG: {
    by: 'both',
    meaning: 'kubeconfig files, as for kubectl',
    otherwise: '`~/.kube/config`',
  },
  KUBERNETES_SERVICE_HOST: {
    by: 'both',
    meaning: 'address of the cluster, in a pod; Kubernetes sets it',
    otherwise: 'not in a pod',
  },
  KUBERNETES_SERVICE_PORT: { by: 'both', meaning: 'its port', otherwise: '443' },
  https_proxy: {
    by: 'all',
    meaning:
      'HTTP proxy for `https://` and `wss://` addresses ([networks.md](networks.md#http-proxies)), `http://USER:PASSWORD@HOST:PORT`',
    otherwise: '`HTTPS_PROXY`, `all_proxy`, `ALL_PROXY`, or none',
  },
  HTTPS_PROXY: { by: 'all', meaning: 'the same', otherwise: 'as above' },
  http_proxy: {
    by: 'all',
    meaning: 'HTTP proxy for `http://` and `ws://` addresses',
    otherwise: '`HTTP_PROXY`, `all_proxy`, `ALL_PROXY`, or none',
  },
  HTTP_PROXY: { by: 'all', meaning: 'the same', otherwise: 'as above' },
  all_proxy: { by: 'all', meaning: 'HTTP proxy where none of the others is set', otherwise: '`ALL_PROXY`, or none' },
  ALL_PROXY: { by: 'all', meaning: 'the same', otherwise: 'none' },
  no_proxy: {
    by: 'all',
    meaning:
      'hosts without a proxy, separated by commas: names with their subdomains, `.suffix`, addresses, `10.0.0.0/8`, `host:port`, or `*`',
    otherwise: '`NO_PROXY`, or loopback only',
  },
  NO_PROXY: { by: 'all', meaning: 'the same', otherwise: 'loopback only' },
  SSH_AUTH_SOCK: { by: 'both', meaning: 'socket of the SSH agent', otherwise: 'no agent' },
  USER: { by: 'both', meaning: 'login for SSH, for a user without an entry in passwd', otherwise: 'empty' },
  PATH: { by: 'both', meaning: 'folders of programs that a plan names, and of Chromium', otherwise: 'none' },
  PROGRAMFILES: { by: 'both', meaning: 'on Windows: where Chromium is searched', otherwise: 'not searched' },
  'PROGRAMFILES(X86)': { by: 'both', meaning: 'the same', otherwise: 'not searched' },
  LOCALAPPDATA: { by: 'both', meaning: 'the same', otherwise: 'not searched' },
  APPIMAGE: {
    by: 'app',
    meaning: 'this is an AppImage, which updates replace; its runtime sets it',
    otherwise: 'another package',
  },
  PORTABLE_EXECUTABLE_DIR: {
    by: 'app',
    meaning: 'this is the portable app, which updates do not replace; it sets it itself',
    otherwise: 'an installed app',
  },
  GOGC: { by: 'agent', meaning: "how rarely Go's memory is collected, in percent", otherwise: '50' },
  GOMEMLIMIT: { by: 'agent', meaning: "limit of Go's memory", otherwise: 'most of the memory limit of the agent' },
  NODE_EXTRA_CA_CERTS: {
    by: 'agent',
    meaning: 'file of further certificate authorities (PEM); the console, a program of Node.js, reads it too',
    otherwise: 'those of the system',
  },
} as const satisfies Readonly<Record<string, Variable>>;

export type VariableName = keyof typeof variables;

/** HTTP proxies and exceptions. The addresses of proxies may contain a password. */
export const proxyVariables = [
  ...(['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'] as const),
  ...(['no_proxy', 'NO_PROXY'] as const),
] satisfies readonly VariableName[];

/** Those of the variables that are set. */
export type VariableValues<Name extends VariableName = VariableName> = Readonly<Partial<Record<Name, string>>>;

/** The value of a variable; undefined where it is not set. */
export const variable = (name: VariableName): string | undefined => process.env[name];

export const variablesOf = <Name extends VariableName>(names: readonly Name[]): VariableValues<Name> =>
  Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  ) as VariableValues<Name>;

/** The value of a variable that a configuration of the user names, such as the one of SSH. */
export const namedVariable = (name: string): string | undefined => process.env[name];
