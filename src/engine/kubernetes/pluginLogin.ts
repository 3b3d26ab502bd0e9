import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { escaped, quoted } from '../../domain/text/quoted';
import { FullhouseError } from '../../contract/calls';
import type { Clock } from '../base/clock';
import { log } from '../base/log';
import { environment, startProgram } from '../base/program';
import { seconds } from '../base/sentences';
import type { KubeCluster, KubePlugin, KubeUser } from './kubeconfigFile';
import { parseForeignJson } from '../../domain/budget/foreignJson';

/** A program that waits for a login in a browser gets this time. */
const pluginMs = 60_000;
const maxOutput = 1024 * 1024;
/** Max length of the errors that a program wrote, in a sentence. */
const maxErrors = 500;
/** Credentials are renewed this long before they expire. */
const leewayMs = 30_000;

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

const execCredential = z.object({
  apiVersion: z.string(),
  kind: z.literal('ExecCredential'),
  status: z.object({
    token: z.string().min(1).optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
    expirationTimestamp: z.string().optional(),
  }),
});

/** What a program has written, and until when it is valid. */
export interface PluginCredentials {
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
  /** By the system's clock; undefined: until the cluster rejects them. */
  readonly untilMs?: number;
}

export interface PluginOptions {
  readonly timeoutMs?: number;
  readonly clock: Pick<Clock, 'wall' | 'after'>;
}

/** The credentials of a kubeconfig's user that a program writes, once for all requests until they expire. */
export class PluginLogin {
  private latest: PluginCredentials | undefined;
  private asking: Promise<PluginCredentials> | undefined;
  private isNamed = false;

  constructor(
    private readonly user: Pick<KubeUser, 'name'> & { readonly plugin: KubePlugin },
    private readonly cluster: KubeCluster,
    private readonly options: PluginOptions,
  ) {}

  /** Rejects with one sentence that names the program and has what it wrote. */
  async credentials(): Promise<PluginCredentials> {
    const { latest } = this;
    if (latest && (latest.untilMs === undefined || this.options.clock.wall() < latest.untilMs - leewayMs))
      return latest;
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  /** The cluster has rejected them. */
  reject(): void {
    this.latest = undefined;
  }

  private async ask(): Promise<PluginCredentials> {
    const { plugin } = this.user;
    if (!this.isNamed) log.warn(`${this.who} runs ${plugin.command.map(quoted).join(' ')} to log in.`);
    this.isNamed = true;
    if (!versions.includes(plugin.apiVersion))
      throw this.failed(
        `its apiVersion ${quoted(plugin.apiVersion)} is not supported, which has to be one of ${versions.join(' and ')}`,
      );
    this.latest = this.read(await this.run());
    return this.latest;
  }

  private read(output: string): PluginCredentials {
    let value: unknown;
    try {
      value = parseForeignJson(output);
    } catch {
      throw this.failed('it wrote something else than the JSON of an ExecCredential to its standard output');
    }
    const read = execCredential.safeParse(value);
    if (!read.success) throw this.failed('it wrote no valid ExecCredential');
    const { apiVersion, status } = read.data;
    const { token, clientCertificateData: certificate, clientKeyData: key, expirationTimestamp } = status;
    if (apiVersion !== this.user.plugin.apiVersion)
      throw this.failed(
        `it wrote an ExecCredential of ${quoted(apiVersion)}, the kubeconfig has ${quoted(this.user.plugin.apiVersion)}`,
      );
    if (token === undefined && (certificate === undefined || key === undefined))
      throw this.failed('its ExecCredential has neither a token nor a client certificate with its key');
    const ends = [Date.parse(expirationTimestamp ?? ''), endOf(certificate)].filter((ms) => Number.isFinite(ms));
    return {
      ...(token === undefined ? {} : { token }),
      ...(certificate === undefined || key === undefined ? {} : { certificate, key }),
      ...(ends.length > 0 ? { untilMs: Math.min(...ends) } : {}),
    };
  }

  /** Without a shell; its standard error is reported at once, since it may ask for a login. */
  private run(): Promise<string> {
    const { plugin } = this.user;
    const [program, ...args] = plugin.command;
    const { timeoutMs = pluginMs, clock } = this.options;
    const env = { ...environment(), ...plugin.variables, KUBERNETES_EXEC_INFO: this.info() };
    return new Promise((resolve, reject) => {
      const child = startProgram(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
      const release = endWithUs(child.pid);
      let output = '';
      let errors = '';
      let ended: string | undefined;
      const end = (why: string): void => {
        ended ??= why;
        endGroup(child.pid);
      };
      const cancelLimit = clock.after(timeoutMs, () =>
        end(`it wrote no credentials within ${seconds(timeoutMs)} and was ended`),
      );
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.length > maxOutput) end(`it wrote more than ${maxOutput} bytes and was ended`);
      });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        errors = `${errors}${text}`.slice(-maxErrors);
        for (const line of text.split(/\r?\n/))
          if (line.trim() !== '') log.warn(`${program}: ${escaped(line.trim().slice(0, maxErrors))}`);
      });
      const settle = (act: () => void): void => {
        cancelLimit();
        release();
        act();
      };
      child.on('error', (error: NodeJS.ErrnoException) =>
        settle(() =>
          reject(
            this.failed(
              error.code === 'ENOENT'
                ? 'the program does not exist'
                : `it can not be started (${error.code ?? error.message})`,
            ),
          ),
        ),
      );
      child.on('close', (code, signal) =>
        settle(() => {
          if (ended === undefined && code === 0) resolve(output);
          else reject(this.failed(ended ?? `it ended with ${code ?? signal}`, errors));
        }),
      );
    });
  }

  /** What a program reads of its cluster (client-go). */
  private info(): string {
    const { plugin } = this.user;
    const { server, caData, skipTLSVerify, tlsServerName } = this.cluster;
    const cluster = {
      server,
      ...(caData === undefined ? {} : { 'certificate-authority-data': caData }),
      ...(skipTLSVerify ? { 'insecure-skip-tls-verify': true } : {}),
      ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
      config: null,
    };
    return JSON.stringify({
      apiVersion: plugin.apiVersion,
      kind: 'ExecCredential',
      spec: { interactive: false, ...(plugin.providesClusterInfo ? { cluster } : {}) },
    });
  }

  private get who(): string {
    return `The kubeconfig user ${quoted(this.user.name)}`;
  }

  private failed(why: string, errors = ''): FullhouseError {
    const { plugin } = this.user;
    const wrote = escaped(errors.trim().replace(/\s*\r?\n\s*/g, ' / '));
    const hint = plugin.installHint === undefined ? '' : ` ${escaped(plugin.installHint.trim().replace(/\s+/g, ' '))}`;
    return new FullhouseError(
      'cluster-login',
      `${this.who} can't log in: ${why} (${plugin.command.map(quoted).join(' ')})${wrote === '' ? '' : `: ${wrote.replace(/\.$/, '')}`}.${hint}`,
    );
  }
}

/** Ends a program with what it has started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A program does not outlive this process: it is a group of its own, so a terminal's Ctrl-C does not reach it. */
function endWithUs(pid: number | undefined): () => void {
  const onExit = (): void => endGroup(pid);
  const onSignal = (signal: NodeJS.Signals): void => {
    endGroup(pid);
    stop();
    // As without this listener.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const stop = (): void => {
    process.off('exit', onExit);
    for (const signal of endSignals) process.off(signal, onSignal);
  };
  process.on('exit', onExit);
  for (const signal of endSignals) process.on(signal, onSignal);
  return stop;
}

function endOf(certificate: string | undefined): number {
  if (certificate === undefined) return Number.NaN;
  try {
    return Date.parse(new X509Certificate(certificate).validTo);
  } catch {
    return Number.NaN;
  }
}
