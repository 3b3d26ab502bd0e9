import {
  maxStreamsInView,
  type LinkView,
  type NodeCapabilities,
  type NodeFix,
  type NodeView,
  type StreamView,
} from '../../domain/model/node';
import { type OriginSettings } from '../../domain/model/nodeSettings';
import { traitsOf } from '../../domain/model/serverFamilies';
import { openHttpLink } from '../links/http/openHttpLink';
import { proxyFor } from '../links/http/proxyChoice';
import { httpAddressKeys } from '../../domain/model/addressKeys';
import type { HttpLink } from '../links/http/httpLink';
import type { LoadDriver } from '../load/driver';
import type { ServerAdapter, ServerFamilyModule, ServerIdentity, ServerSample } from '../servers/adapter';
import { webPortOf } from '../servers/addressTemplate';
import { polledAdapter } from '../servers/polledServer';
import { FullhouseError } from '../../contract/calls';
import type { RemoteNodeOptions } from './fleetKit';
import { GcLogWatch } from './gcLogWatch';
import { hostFigures, staleAfterMs, thisMachine, type ServerFacts, type RemoteNode } from './node';
import { addressOf, RemoteBase } from './remoteBase';
import { serverFix } from './serverFix';

interface Login {
  readonly user: string;
  readonly password: string;
}

const identifyAgainMs = 10_000;
/** A server that reports something else as invalid each time is not worth more. */
const maxRemarks = 20;

const isOverTls = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'wss:';

/** A server under test that runs already: nothing is installed on it, and nothing of it is stopped. */
export class OriginNode extends RemoteBase implements RemoteNode {
  readonly role = 'origin';
  readonly server: ServerAdapter;
  readonly running = true;
  streams: readonly StreamView[] = [];
  readonly http: HttpLink;
  private readonly password: () => string | undefined;
  private readonly gcLog: GcLogWatch | undefined;
  private identity: ServerIdentity | undefined;
  private identifying: Promise<ServerIdentity> | undefined;
  private identifiedMs = Number.NEGATIVE_INFINITY;
  private serverProblem: string | undefined;
  private serverFix: NodeFix = 'reconnect';
  private lastServerMs: number | undefined;
  private responseMs: number | undefined;
  private measuresGc = false;
  private readonly remarks = new Set<string>();

  constructor(
    options: RemoteNodeOptions,
    override readonly settings: OriginSettings,
    family: ServerFamilyModule,
  ) {
    super(options, settings, () => this.identity?.process ?? traitsOf(settings.server).process);
    const { secrets, clock, id } = options;
    this.password = () => secrets().httpPassword;
    const login = (): Login | undefined => this.login;
    this.http = openHttpLink({
      who: id,
      base: settings.url,
      acceptSelfSigned: settings.selfSigned,
      allowCrossOrigin: settings.allowCrossOrigin,
      proxy: settings.proxy,
      clock,
      // The keychain may return the password only after the node was created.
      get basic() {
        return login();
      },
    });
    this.server = polledAdapter(
      family.open({
        ...{ who: id, settings, secrets, http: this.http, clock },
        remark: (sentence) => this.remark(sentence),
      }),
      { clock, who: id },
    );
    this.server.onSample((sample) => this.takeServer(sample));
    this.server.onProblem((sentence) => {
      this.serverProblem = sentence;
      this.review();
    });
    this.gcLog =
      settings.gcLog === undefined
        ? undefined
        : new GcLogWatch(
            id,
            settings.gcLog,
            clock,
            (timeMs, values) =>
              this.changes.emit({ kind: 'process', timeMs, values: this.figures.take('gc-log', values) }),
            () => this.changes.emit({ kind: 'view' }),
            () => this.watch.clock,
          );
    this.watch.entered.on((link) => this.gcLog?.follow(link));
    this.watch.start();
    this.identify().catch(() => undefined); // `serverProblem` contains the sentence; the next tick retries
  }

  private get login(): Login | undefined {
    const { user } = this.settings;
    const password = this.password();
    return user !== undefined && password !== undefined ? { user, password } : undefined;
  }

  proxyRemarks(): readonly string[] {
    const { id, settings } = this;
    const keys = ['url', 'ws', 'control', 'metrics', ...httpAddressKeys] as const;
    const names = keys.flatMap((key) => {
      const text = settings[key];
      try {
        return text === undefined ? [] : (proxyFor(new URL(text), settings.proxy, id)?.name ?? []);
      } catch {
        return []; // an address or proxy that can't be used fails where it is used
      }
    });
    return [...new Set(names)].map(
      (name) =>
        `${id} is reached through ${name}: API, signalling and media over HTTP. RTMP, RTSP, SRT, TURN and WebRTC media can't go through an HTTP proxy and need a direct route from each tester; media over HTTP measures the proxy too.`,
    );
  }

  serverRemarks(): readonly string[] {
    return [...this.remarks];
  }

  loginFor(address: string): Login | undefined {
    if (this.settings.url === undefined) return this.login;
    const [api, stream] = [new URL(this.settings.url), new URL(address)];
    // A password that the API receives over TLS is sent to no address without it.
    const isDowngrade = isOverTls(api) && !isOverTls(stream);
    return api.hostname === stream.hostname && !isDowngrade ? this.login : undefined;
  }

  get driver(): LoadDriver {
    throw new FullhouseError('no-tester', `${this.id} is an origin; to pull from there, add it as a tester too.`);
  }

  /** The server's process name as shown by ps, where known. */
  get processName(): string | undefined {
    return this.settings.process ?? this.identity?.process ?? traitsOf(this.settings.server).process;
  }

  get staying(): boolean {
    return !this.isClosed;
  }

  async start(): Promise<void> {
    await this.identify();
  }

  override get serverFacts(): ServerFacts {
    const { boot, processes } = super.serverFacts;
    const { certificateExpiresMs } = this.http;
    // On this machine the processes are found by their name.
    const here = this.host === thisMachine ? this.options.own.of(`server ${this.id}`) : undefined;
    return { boot, certificateExpiresMs, processes: processes ?? here?.map((pid) => ({ pid, startedAt: 0 })) };
  }

  /** Nothing was started on it. */
  stop(): Promise<void> {
    return Promise.resolve();
  }

  override reconnect(): void {
    super.reconnect();
    this.identify().catch(() => undefined); // `serverProblem` contains the sentence
  }

  tick(nowMs: number): void {
    if (this.serverProblem !== undefined || this.identity === undefined || this.settings.server === 'generic')
      if (nowMs - this.identifiedMs >= identifyAgainMs) this.identify().catch(() => undefined); // as above
    if (this.state === 'live' && this.lastServerMs !== undefined && nowMs - this.lastServerMs > this.silenceMs)
      this.review(nowMs);
  }

  close(): Promise<void> {
    this.isClosed = true;
    this.server.close();
    this.http.close();
    this.gcLog?.close();
    this.watch.close();
    return Promise.resolve();
  }

  view(name = this.id): NodeView {
    const { settings, watch } = this;
    const base = this.baseView(name);
    return {
      ...base,
      server: settings.server,
      software: this.identity?.software,
      reach: addressOf(settings) ?? '',
      streams: this.streams.slice(0, maxStreamsInView),
      streamCount:
        this.lastServerMs === undefined || !this.can.measure.includes('streams') ? undefined : this.streams.length,
      links: [this.apiLink(), ...watch.links()],
      can: this.can,
      gcSource:
        this.gcLog?.label ??
        (this.measuresGc ? `${this.identity?.software ?? settings.server}'s own figures` : undefined),
      gcProblem: this.gcLog?.silence,
      responseMs: this.responseMs,
      isSlow: this.responseMs !== undefined && this.responseMs > 1000,
      ...this.word(base.problem),
    };
  }

  protected review(nowMs = this.options.clock.now()): void {
    if (this.serverProblem !== undefined)
      return this.change(this.lastServerMs === undefined ? 'failed' : 'stale', this.serverProblem);
    if (this.identity === undefined) return this.change('starting');
    const last = this.lastServerMs;
    if (last !== undefined && nowMs - last > this.silenceMs)
      return this.change('stale', `${this.id} has not responded for ${Math.round((nowMs - last) / 1000)} s.`);
    this.change('live');
  }

  /** When it counts as not responding: a server with long response times is slow, not gone. */
  private get silenceMs(): number {
    return staleAfterMs + 2 * (this.responseMs ?? 0);
  }

  /** Its capabilities, with those of its host's sources. */
  private get can(): NodeCapabilities {
    const { capabilities } = this.server;
    const ofHost = this.watch.isWanted || this.host === thisMachine ? hostFigures : [];
    const gc = this.gcLog || this.measuresGc ? ['GC'] : [];
    return { ...capabilities, measure: [...new Set([...ofHost, ...capabilities.measure, ...gc])] };
  }

  /** The sentence of its row, with the fix. A host key that waits for confirmation comes first. */
  private word(problem: string | undefined): Pick<NodeView, 'problem' | 'note' | 'fix'> {
    const { watch, hint } = this;
    if (this.options.lacking !== undefined) return { problem, fix: 'enter-secret' };
    const asks = watch.hostKey && watch.fix;
    if (problem !== undefined) return { problem, fix: asks ?? this.serverFix };
    if (watch.problem !== undefined) return { problem: watch.problem, fix: watch.fix };
    if (watch.figuresProblem !== undefined)
      return { problem: watch.figuresProblem, fix: watch.ssh === undefined ? 'edit' : undefined };
    const other = this.gcLog?.problem ?? this.identity?.tooOld ?? this.identity?.lacking;
    if (other !== undefined) return { problem: other };
    return hint === undefined ? {} : { note: hint, fix: 'add-ssh' };
  }

  /** Only its API is known: what is missing, and how to add it. */
  private get hint(): string | undefined {
    if (this.state !== 'live' || this.watch.isWanted || this.host === thisMachine) return undefined;
    return 'CPU and memory of the host are not measured: add SSH or node_exporter';
  }

  private apiLink(): LinkView {
    const { settings } = this;
    const state = this.serverProblem !== undefined ? 'lost' : this.identity ? 'live' : 'connecting';
    const plain = settings.server === 'generic';
    return {
      kind: plain ? 'media' : 'api',
      label: plain ? (this.server.capabilities.serves.join(', ') || 'address').toUpperCase() : apiLabel(settings),
      state,
      problem: this.serverProblem,
      selfSigned: settings.selfSigned,
    };
  }

  private takeServer(sample: ServerSample): void {
    this.streams = sample.streams;
    this.responseMs = sample.responseMs;
    this.lastServerMs = this.options.clock.now();
    this.heard(sample.timeMs);
    this.measuresGc ||= sample.values.gcPauseMs !== undefined;
    const values = this.figures.take('server', sample.values);
    this.changes.emit({ kind: 'server', sample: { ...sample, values } });
    this.review();
  }

  /** Each once: an invalid part is in every response. */
  private remark(sentence: string): void {
    if (this.remarks.has(sentence) || this.remarks.size >= maxRemarks) return;
    this.remarks.add(sentence);
    this.changes.emit({ kind: 'message', timeMs: this.options.clock.now(), name: 'warning', sentence });
  }

  private identify(): Promise<ServerIdentity> {
    this.identifying ??= this.ask().finally(() => {
      this.identifying = undefined;
    });
    return this.identifying;
  }

  private async ask(): Promise<ServerIdentity> {
    this.identifiedMs = this.options.clock.now();
    try {
      const before = this.identity;
      this.identity = await this.server.identify();
      this.serverProblem = undefined;
      this.serverFix = 'reconnect';
      if (!before) for (const sentence of this.identity.remarks ?? []) this.remark(sentence);
      return this.identity;
    } catch (error) {
      this.serverProblem = (error as Error).message;
      this.serverFix = serverFix(error);
      throw error;
    } finally {
      this.review();
    }
  }
}

function apiLabel({ server, url }: OriginSettings): string {
  const port = url === undefined ? '' : portOf(url);
  return `${traitsOf(server).api ?? 'REST'} ${port}`.trim();
}

function portOf(url: string): string {
  try {
    return webPortOf(new URL(url));
  } catch {
    return '';
  }
}
