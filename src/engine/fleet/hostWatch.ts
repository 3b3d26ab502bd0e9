import type { ClockView, HostKeyQuestion, LinkView, MachineFingerprint, NodeFix } from '../../domain/model/node';
import type { HostSettings, NodeSecrets } from '../../domain/model/nodeSettings';
import { FullhouseError } from '../../contract/calls';
import type { Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import { figureSourceNames, figureSources, type FigureSource } from '../../domain/series/series';
import type { HttpLink } from '../links/http/httpLink';
import { openHttpLink } from '../links/http/openHttpLink';
import { openSshLink } from '../links/ssh/openSshLink';
import type { SshLink } from '../links/ssh/sshLink';
import { openNodeExporterHost } from '../telemetry/nodeExporterHost';
import { openPrometheusHost } from '../telemetry/prometheusHost';
import type { ProgramShare } from '../../domain/model/otherLoad';
import type { OwnProcesses } from '../telemetry/ownProcesses';
import type { ProcessIdentity } from '../telemetry/proc/serverProcesses';
import { openSshHost } from '../telemetry/sshHost';
import type { HostSample, HostSource } from '../telemetry/hostSource';
import type { HostKeyStore } from './hostKeyStore';

export interface HostWatchOptions {
  /** The node's name, for sentences. */
  readonly who: string;
  readonly settings: HostSettings;
  readonly secrets: () => NodeSecrets;
  readonly hostKeys: HostKeyStore;
  readonly clock: Clock;
  /** Name of the process to watch there, when it is known. */
  readonly processName: () => string | undefined;
  /** The processes of the test on all machines. */
  readonly own: OwnProcesses;
  /** A media server runs there. */
  readonly hasServer: boolean;
}

/** First attempts are repeated after these; an established link reconnects automatically. */
const retryMs = [1000, 2000, 4000, 8000, 15_000, 30_000];
/** A Prometheus may scrape every 15 s. */
const silentAfterMs = 20_000;
/** A source that fails for this long is reported. */
const reportSilenceMs = 5000;
/** What time does not fix: the user has to confirm or change something first. */
const waitsForPeople: Readonly<Record<string, NodeFix>> = {
  'host-key-unknown': 'trust-key',
  'host-key-changed': 'compare-keys',
  auth: 'enter-secret',
  'key-passphrase': 'enter-secret',
  'ssh-config': 'edit',
};

/** A node's host: the SSH link if configured, and the machine's figures from the sources that the settings name. */
export class HostWatch {
  readonly changed = new Emitter<void>();
  readonly samples = new Emitter<HostSample & { readonly from: FigureSource }>();
  /** A sentence on what a source does not report, once. */
  readonly remarks = new Emitter<string>();
  /** Each time SSH has connected for the first time since `start` or a refusal. */
  readonly entered = new Emitter<SshLink>();
  ssh: SshLink | undefined;
  problem: string | undefined;
  fix: NodeFix | undefined;
  hostKey: HostKeyQuestion | undefined;
  /** Best first; each reports independently, and the node chooses. */
  private sources: Array<{
    readonly from: FigureSource;
    readonly source: HostSource;
    problem?: string;
    lastSampleMs: number;
    isRemarked?: boolean;
    silentSince?: number | undefined;
    isSilent?: boolean;
  }> = [];
  private attempts = 0;
  private connecting: Promise<void> | undefined;
  private cancelRetry: (() => void) | undefined;
  private isClosed = false;
  private readonly stopListening: () => void;

  constructor(private readonly options: HostWatchOptions) {
    this.stopListening = options.hostKeys.trusted.on(({ host, fingerprint }) => {
      if (this.hostKey?.host !== host || this.hostKey.fingerprint !== fingerprint) return;
      this.hostKey = undefined;
      this.reconnect();
    });
  }

  get machine(): MachineFingerprint | undefined {
    return this.sources.map(({ source }) => source.machine).find((machine) => machine !== undefined);
  }

  get clock(): ClockView | undefined {
    return this.sources.map(({ source }) => source.clock).find((clock) => clock !== undefined);
  }

  /** Why the host's figures are missing or incomplete, although the connection may be fine. */
  get figuresProblem(): string | undefined {
    return this.sources.map(({ problem }) => problem).find((problem) => problem !== undefined);
  }

  /** Display name of a source of this host's figures; undefined for one that it does not have. */
  labelOf(from: FigureSource): string | undefined {
    return this.sources.find((source) => source.from === from)?.source.label;
  }

  /** The largest other programs there now; empty without a source of processes. */
  programs(): Promise<readonly ProgramShare[]> {
    const found = this.sources.find(({ source }) => source.programs !== undefined);
    return found?.source.programs?.() ?? Promise.resolve([]);
  }

  /** Machine and table of pids by which the test's processes are listed. */
  get machineKey(): string | undefined {
    return this.sources.map(({ source }) => source.machineKey).find((key) => key !== undefined);
  }

  /** The media server's processes there; undefined while they are unknown. */
  get processes(): readonly ProcessIdentity[] | undefined {
    return this.sources.map(({ source }) => source.processes).find((processes) => (processes?.length ?? 0) > 0);
  }

  /** Whether the settings name a source of the host's figures. */
  get isWanted(): boolean {
    const { ssh, nodeExporter, prometheus } = this.options.settings;
    return ssh !== undefined || nodeExporter !== undefined || prometheus !== undefined;
  }

  start(): void {
    const { who, clock, settings } = this.options;
    const { ssh, nodeExporter, prometheus } = settings;
    const httpTo = (url: string): HttpLink =>
      openHttpLink({
        who,
        base: url,
        acceptSelfSigned: settings.selfSigned,
        allowCrossOrigin: settings.allowCrossOrigin,
        proxy: settings.proxy,
        clock,
      });
    if (ssh !== undefined) void this.connect();
    if (nodeExporter !== undefined)
      this.take('node_exporter', openNodeExporterHost({ http: httpTo(nodeExporter), url: nodeExporter, who, clock }));
    // Next to a more direct source it would report the same later; then it only serves queries.
    else if (ssh === undefined && prometheus !== undefined)
      this.take(
        'prometheus',
        openPrometheusHost({
          ...{ http: httpTo(prometheus), url: prometheus, who, clock },
          instance: settings.instance,
        }),
      );
  }

  /** The SSH link once connected. Rejects with the sentence of the latest failed attempt. */
  async link(): Promise<SshLink> {
    if (this.options.settings.ssh === undefined)
      throw new FullhouseError('no-ssh', `${this.options.who} has no SSH address; edit the node to add one.`);
    await this.connect();
    if (this.ssh?.state === 'live') return this.ssh;
    throw new FullhouseError(
      'link-lost',
      this.problem ?? this.ssh?.problem?.message ?? `${this.options.who} can't be reached over SSH now.`,
    );
  }

  links(): LinkView[] {
    const { ssh, selfSigned } = this.options.settings;
    const problemOf = (from: FigureSource): string | undefined =>
      this.sources.find((source) => source.from === from)?.problem;
    const links: LinkView[] = [];
    if (ssh !== undefined) {
      const state = this.ssh?.state ?? (this.problem === undefined ? 'connecting' : 'lost');
      links.push({
        kind: 'ssh',
        label: 'SSH',
        state: state === 'closed' ? 'off' : state,
        problem: this.problem ?? problemOf('ssh'),
      });
    }
    for (const { from, problem, lastSampleMs } of this.sources) {
      if (from === 'ssh') continue;
      // Slow is not lost: figures still arrive, with a note on the delay.
      const isSilent = this.options.clock.now() - lastSampleMs > silentAfterMs;
      const state = !isSilent ? 'live' : problem === undefined ? 'connecting' : 'lost';
      links.push({ kind: 'metrics', label: figureSourceNames[from], state, problem, selfSigned });
    }
    return links;
  }

  reconnect(): void {
    this.attempts = 0;
    if (this.ssh) return this.ssh.reconnect();
    // The result of the latest attempt is no longer valid: the node is starting, and a pull may start.
    this.problem = undefined;
    this.fix = undefined;
    void this.connect();
    this.changed.emit();
  }

  trust(fingerprint: string): void {
    this.options.hostKeys.answer(this.hostKey, fingerprint);
  }

  close(): void {
    this.isClosed = true;
    this.stopListening();
    this.cancelRetry?.();
    for (const { source } of this.sources) source.close();
    this.ssh?.close();
  }

  private connect(): Promise<void> {
    if (this.ssh || this.isClosed) return Promise.resolve();
    this.cancelRetry?.();
    this.connecting ??= this.attempt().finally(() => {
      this.connecting = undefined;
      this.changed.emit();
    });
    return this.connecting;
  }

  private async attempt(): Promise<void> {
    const { who, settings, secrets, hostKeys, clock } = this.options;
    try {
      const ssh = await openSshLink({
        who,
        target: { address: settings.ssh ?? '', keyFile: settings.keyFile, jump: settings.jump },
        secret: (kind) => secrets()[kind],
        hostKeys,
        sshFolder: hostKeys.sshFolder,
        clock,
      });
      if (this.isClosed) return ssh.close();
      this.ssh = ssh;
      this.fine();
      ssh.onState((state, problem) => {
        if (state === 'live') this.fine();
        else this.fault(problem);
        this.changed.emit();
      });
      this.take(
        'ssh',
        openSshHost({
          ...{ link: ssh, who, clock, own: this.options.own, hasServer: this.options.hasServer },
          processName: settings.process ?? this.options.processName(),
        }),
      );
      this.entered.emit(ssh);
    } catch (error) {
      if (this.isClosed) return;
      this.fault(error as Error);
      if (this.fix !== undefined && this.fix !== 'reconnect') return;
      const wait = retryMs[Math.min(this.attempts, retryMs.length - 1)] ?? 30_000;
      this.attempts += 1;
      this.cancelRetry = clock.after(wait, () => void this.connect());
    }
  }

  /** Reports a source that still has no figures after some time: slowness and single failures pass. */
  private watchSilence(requested: (typeof this.sources)[number]): void {
    const { clock } = this.options;
    const sinceMs = (requested.silentSince = clock.now());
    clock.after(reportSilenceMs, () => {
      requested.silentSince = undefined;
      if (this.isClosed || requested.problem === undefined || requested.lastSampleMs > sinceMs) return;
      if (!requested.isSilent) this.remarks.emit(requested.problem);
      requested.isSilent = true;
    });
  }

  private fine(): void {
    this.attempts = 0;
    this.problem = undefined;
    this.fix = undefined;
    this.hostKey = undefined;
  }

  private fault(error: Error | undefined): void {
    if (!error) return;
    const code = error instanceof FullhouseError ? error.code : '';
    this.problem = error.message;
    this.fix = waitsForPeople[code] ?? 'reconnect';
    this.hostKey = code.startsWith('host-key') ? (error.cause as HostKeyQuestion) : undefined;
  }

  private take(from: FigureSource, source: HostSource): void {
    const entry: (typeof this.sources)[number] = { from, source, lastSampleMs: Number.NEGATIVE_INFINITY };
    this.sources = [...this.sources, entry].sort(
      (a, b) => figureSources.indexOf(a.from) - figureSources.indexOf(b.from),
    );
    source.onSample((sample) => {
      entry.lastSampleMs = this.options.clock.now();
      if (entry.isSilent) this.remarks.emit(`${this.options.who}: its ${source.label} reports figures again.`);
      entry.isSilent = false;
      const { lacking = [] } = source;
      if (lacking.length > 0 && !entry.isRemarked) {
        entry.isRemarked = true;
        this.remarks.emit(`${this.options.who}: its ${source.label} reports no ${listed(lacking)}.`);
      }
      this.samples.emit({ ...sample, from });
    });
    source.onProblem((sentence) => {
      entry.problem = sentence;
      if (sentence !== undefined && entry.silentSince === undefined) this.watchSilence(entry);
      this.changed.emit();
    });
  }
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
