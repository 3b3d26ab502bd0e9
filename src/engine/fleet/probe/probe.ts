import { lookup } from 'node:dns/promises';
import type { HostKeyQuestion } from '../../../domain/model/node';
import { apiSecrets, type OriginSettings } from '../../../domain/model/nodeSettings';
import type { ProbePlay, ProbeRow, ProbeView } from '../../../domain/model/probe';
import { FullhouseError } from '../../../contract/calls';
import { inTime, type Clock } from '../../base/clock';
import { log } from '../../base/log';
import { requireRealAddress } from '../../base/realAddress';
import type { LoadDriver } from '../../load/driver';
import type { HttpLink } from '../../links/http/httpLink';
import { openHttpLink } from '../../links/http/openHttpLink';
import { proxyFor } from '../../links/http/proxyChoice';
import { resolveRoute } from '../../links/ssh/sshConfig';
import type { PolledServer, ServerFamilyModule, ServerFound, ServerNeed } from '../../servers/adapter';
import { hostInAddress } from '../../servers/addressTemplate';
import { addressParts } from '../../../domain/family/familyFile';
import { families, familyOf } from '../../servers/families';
import { parseMetrics } from '../../telemetry/metrics/exposition';
import { isNodeExporter, readingNames } from '../../telemetry/metrics/nodeMetrics';
import type { HostKeyStore } from '../hostKeyStore';
import { errorText } from '../../../domain/text/errorText';
import { withoutPassword } from '../../../domain/node/typedPassword';
import { Findings } from './findings';
import { HostProbe, type ProbeOrder } from './hostProbe';
import { playFound } from './playFound';
import { readTypedAddress, type TypedAddress } from './typedAddress';
import { withSharedGets } from './sharedRequests';
import { typedServer, withoutSecretsElsewhere, type TypedServer } from './typedServer';

export interface ProbeDeps {
  readonly clock: Clock;
  readonly hostKeys: HostKeyStore;
  /** A host key of this address that already waits for confirmation. */
  readonly hostKey: HostKeyQuestion | undefined;
  readonly freeName: (requestedName: string) => string;
  readonly onView: (view: ProbeView) => void;
  /** This machine's tester, started if necessary; for `play`. */
  readonly tester: () => Promise<LoadDriver>;
  /** Folder of the user's server families. */
  readonly familiesFolder?: string | undefined;
}

/**
 * Without a response by then it counts as not responding. It is below the 15 s that `fullhouse probe` promises, with
 * its start and end.
 */
const longestMs = 13_000;
/** A DNS server that takes longer delays nothing else. */
const nameMs = 3000;
/** Before that, the viewers that play have to end. */
const marginMs = 1000;

/**
 * One probe of an address: all queries run in parallel, and each answer is reported as it arrives. Nothing on the other
 * side is changed.
 */
export class Probe {
  private readonly findings: Findings;
  private readonly http: HttpLink;
  private readonly ending = new AbortController();
  private readonly startedMs: number;
  private nodeExporter: string | undefined;
  private readonly host: HostProbe;
  private readonly typed: TypedAddress;
  private readonly typedServer: TypedServer;

  /** Throws one sentence for an invalid address. */
  constructor(
    readonly order: ProbeOrder,
    private readonly deps: ProbeDeps,
  ) {
    const { address, probe, user, selfSigned, allowCrossOrigin, proxy, secrets } = order;
    this.typed = readTypedAddress(address);
    this.startedMs = deps.clock.monotonic();
    for (const part of [address, ...(order.jump ?? '').split(',')]) requireRealAddress('the node', part);
    this.findings = new Findings(probe, address, deps.clock.now(), deps.freeName, () => this.notify());
    this.typedServer = typedServer(this.typed);
    const link = openHttpLink({
      who: address,
      credentialsFor: this.typedServer.mayReceiveCredentials,
      clock: deps.clock,
      acceptSelfSigned: selfSigned,
      allowCrossOrigin,
      proxy,
      ...(user !== undefined && secrets.httpPassword !== undefined
        ? { basic: { user, password: secrets.httpPassword } }
        : {}),
    });
    this.http = withoutSecretsElsewhere(link, this.typedServer, secrets);
    this.host = new HostProbe({
      order,
      clock: deps.clock,
      hostKeys: deps.hostKeys,
      findings: this.findings,
      row: (id, label, rest) => this.row(id, label, rest),
      isClosed: () => this.isClosed,
    });
  }

  /** Resolves when every query is done; never rejects, since a failure is a finding. */
  async run(): Promise<void> {
    const { typed } = this;
    let stopWaiting = (): void => undefined;
    const isTime = new Promise<void>((resolve) => {
      stopWaiting = this.deps.clock.after(longestMs, resolve);
    });
    const logged = (error: unknown): void => {
      // A failure after the end is no longer a finding.
      if (!this.isClosed) log.warn(`${withoutPassword(this.order.address)}: ${errorText(error)}`);
    };
    try {
      // First: each of the others would look the name up again, in turn.
      const name = this.lookAtName(typed);
      if (await inTime(this.deps.clock, name, nameMs)) return;
      const parts: Promise<unknown>[] = [name, this.lookForServers(typed), this.lookForNodeExporter(typed)];
      if (!typed.url) parts.push(this.host.look(typed));
      await Promise.race([Promise.all(parts.map((part) => part.catch(logged))), isTime]);
    } finally {
      stopWaiting();
      this.findings.settle();
      this.close();
    }
  }

  /** The host key that waits for confirmation. */
  get hostKey(): HostKeyQuestion | undefined {
    return this.host.question ?? this.deps.hostKey;
  }

  trust(fingerprint: string): void {
    this.deps.hostKeys.answer(this.hostKey, fingerprint);
  }

  close(): void {
    this.ending.abort();
    this.http.close();
    this.host.close();
  }

  private get isClosed(): boolean {
    return this.ending.signal.aborted;
  }

  private notify(): void {
    if (!this.isClosed || this.findings.isDone) this.deps.onView(this.findings.view((each) => this.withHost(each)));
  }

  /** What was found on the host is added to whichever server is added. */
  private withHost(settings: OriginSettings): OriginSettings {
    const { keyFile, jump, user, apiKey, proxy, selfSigned, allowCrossOrigin } = this.order;
    return {
      ...settings,
      ...(user === undefined ? {} : { user }),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(proxy ? { proxy } : {}),
      ...(selfSigned ? { selfSigned } : {}),
      ...(allowCrossOrigin ? { allowCrossOrigin } : {}),
      ...(this.host.address === undefined
        ? this.nodeExporter === undefined
          ? {}
          : { nodeExporter: this.nodeExporter }
        : {
            ssh: this.host.address,
            keyFile,
            jump,
            ...(this.host.gcLog === undefined ? {} : { gcLog: this.host.gcLog }),
          }),
    };
  }

  private row(id: ProbeRow['id'], label: string, rest: Omit<ProbeRow, 'id' | 'label'>): void {
    if (!this.isClosed) this.findings.row({ id, label, ...rest });
  }

  /** Whether nothing here can reach the host by its name: no port of it will respond. Never rejects. */
  private async lookAtName({ host, port, url }: TypedAddress): Promise<boolean> {
    const startMs = this.deps.clock.monotonic();
    const tookMs = (): number => this.deps.clock.monotonic() - startMs;
    this.row('address', 'Address', { state: 'probing', found: host });
    try {
      const { address } = await lookup(host);
      const detail = address === host ? undefined : `is ${address}`;
      this.row('address', 'Address', { state: 'found', found: host, detail, tookMs: tookMs() });
      return false;
    } catch (error) {
      if (this.isClosed) return false;
      const other = this.otherResolver(host, port, url);
      const { code = '' } = error as NodeJS.ErrnoException;
      const fault = lookupFaults[code]?.(host);
      if (other !== undefined || fault === undefined) {
        const found = fault?.found ?? `${host} can't be looked up: ${code}`;
        this.row('address', 'Address', { state: 'absent', found, detail: other, tookMs: tookMs() });
        return false;
      }
      this.findings.unknownHost({ id: 'address', label: 'Address', state: 'failed', ...fault, tookMs: tookMs() });
      return true;
    }
  }

  /** What else may know the name: SSH's configuration, a jump host or an HTTP proxy. */
  private otherResolver(host: string, port: number | undefined, url: URL | undefined): string | undefined {
    const { jump, proxy, address } = this.order;
    try {
      if (proxyFor(url ?? new URL(`http://${hostInAddress(host)}:${port ?? 80}`), proxy, address))
        return 'unless the HTTP proxy knows it';
      if (url) return undefined;
      const route = resolveRoute({
        target: { address: hostInAddress(host), ...(jump === undefined ? {} : { jump }) },
        sshFolder: this.deps.hostKeys.sshFolder,
      });
      if (route.length > 1) return 'unless the jump host knows it';
      return route[0]?.host === host ? undefined : `the ssh config has ${route[0]?.host ?? ''} for it`;
    } catch (error) {
      return errorText(error); // a proxy or an entry of the ssh config that can't be used: its row says more
    }
  }

  private async lookForServers(typed: TypedAddress): Promise<void> {
    const { secrets } = this.order;
    this.row('server', 'Server', { state: 'probing', found: 'probing the usual ports' });
    let best = -1;
    let first: { readonly detected: ServerFound; readonly server: PolledServer } | undefined;
    let unusable: string | undefined;
    const http = withSharedGets(this.http);
    const look = async (family: ServerFamilyModule): Promise<void> => {
      const startMs = this.deps.clock.monotonic();
      // With a user name, the port is SSH's.
      const port = typed.user === undefined ? typed.port : undefined;
      const detected = await family
        .look({
          ...{ host: typed.host, port, url: typed.url, secrets, http, clock: this.deps.clock },
          user: this.order.user,
          acceptSelfSigned: this.order.selfSigned,
          proxy: this.order.proxy,
        })
        .catch(() => undefined); // a family that fails on an answer did not send it
      if (!detected || this.isClosed) return;
      const settings = this.withHost(detected.settings);
      const server = familyOf(settings, this.deps.familiesFolder).open({
        who: this.order.address,
        settings,
        secrets: () => secrets,
        http: this.http,
        clock: this.deps.clock,
      });
      this.findings.server(detected, server.capabilities);
      // Some report their capabilities only together with their identity; one without identity stays as it was found.
      const identified = server.identify().then(
        () => this.isClosed || this.findings.server(detected, server.capabilities),
        () => undefined,
      );
      const credentials = { ...secrets, user: this.order.user, apiKey: this.order.apiKey };
      for (const kind of (detected.needs ?? []).filter((need) => credentials[need] === undefined))
        this.findings.need({ kind, sentence: needSentence(kind, detected.software) });
      const isBest = detected.certainty > best;
      if (isBest) {
        best = detected.certainty;
        const { software, detail } = detected;
        const tookMs = this.deps.clock.monotonic() - startMs;
        this.row('server', 'Server', { state: 'found', found: software, detail, tookMs });
      }
      await identified;
      if (!isBest || detected.certainty < best) return server.close?.();
      first?.server.close?.();
      first = { detected, server };
    };
    await Promise.all(
      familiesFor(typed, this.deps.familiesFolder).map((family) =>
        // One that was found and can't be opened, e.g. because its file was changed meanwhile, leaves the others.
        look(family).catch((error: unknown) => (unusable = errorText(error))),
      ),
    );
    if (first && this.order.play) await this.play(first.detected, first.server);
    first?.server.close?.();
    if (best < 0 && unusable !== undefined) return this.row('server', 'Server', { state: 'failed', found: unusable });
    const tls = best < 0 ? await this.certificateFault(typed) : undefined;
    if (tls !== undefined) return this.row('server', 'Server', { state: 'failed', found: tls });
    if (best < 0)
      this.row('server', 'Server', {
        state: 'absent',
        found: 'no known server',
        detail: typed.url ? await this.whyNot(typed.url) : 'on its usual ports',
      });
  }

  private async play(detected: ServerFound, server: PolledServer): Promise<void> {
    const { clock, tester } = this.deps;
    const { secrets, user } = this.order;
    const row = (rest: Omit<ProbeRow, 'id' | 'label'>): void => this.row('play', 'Playback', rest);
    const settings = { ...this.withHost(detected.settings), user };
    const endMs = this.startedMs + longestMs - marginMs;
    const order = { settings, secrets, typed: this.typedServer, signal: this.ending.signal };
    const onPlay = (play: ProbePlay): void => {
      if (!this.isClosed) this.findings.played(play);
    };
    await playFound({ detected, server, order, endMs, clock, tester, row, onPlay }).catch((error: unknown) =>
      row({ state: 'failed', found: errorText(error) }),
    );
  }

  /** At which step an address that can't be played failed. */
  private async whyNot(url: URL): Promise<string> {
    const neither = 'this URL is neither a stream nor a known API';
    if (!/^https?:$/.test(url.protocol)) return neither;
    try {
      const { status, headers } = await this.http.request({ url: url.href, timeoutMs: 3000, firstBytes: 1 });
      if (status !== 200) return `the server responds with HTTP ${status}`;
      const type = String(headers['content-type'] ?? '').split(';')[0];
      if (type === 'text/html') return 'this page names no address of a stream that responds';
      return type ? `${neither}: it has the type ${type}` : neither;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** A server with a refused certificate stays unidentified: report that, if one responds behind it. */
  private async certificateFault({ host, port, user, url }: TypedAddress): Promise<string | undefined> {
    if (url && !/^(https|wss):$/.test(url.protocol)) return undefined;
    const typed = url?.href.replace(/^wss:/, 'https:');
    const at = (number: number): string => `https://${hostInAddress(host)}:${number}/`;
    const isBare = user !== undefined || port === undefined;
    const addresses = typed ? [typed] : isBare ? [443, ...securePorts(this.deps.familiesFolder)].map(at) : [at(port)];
    const faults = await Promise.all(addresses.map((address) => this.certificateFaultAt(address)));
    return faults.find((fault) => fault !== undefined);
  }

  private async certificateFaultAt(address: string): Promise<string | undefined> {
    try {
      await this.http.request({ url: address, timeoutMs: 3000 });
      return undefined;
    } catch (error) {
      if (!(error instanceof FullhouseError) || error.code !== 'tls') return undefined;
      const trusting = openHttpLink({
        ...{ who: this.order.address, acceptSelfSigned: true, proxy: this.order.proxy, clock: this.deps.clock },
      });
      const answers = await trusting.request({ url: address, timeoutMs: 3000 }).then(
        () => true,
        () => false,
      );
      trusting.close();
      return answers ? error.message : undefined;
    }
  }

  private async lookForNodeExporter({ host }: TypedAddress): Promise<void> {
    const url = `http://${hostInAddress(host)}:9100/metrics`;
    const startMs = this.deps.clock.monotonic();
    try {
      const text = await this.http.text({ url, timeoutMs: 3000 });
      if (!isNodeExporter(parseMetrics(text, (name) => readingNames.has(name), url)))
        throw new FullhouseError('not-it', 'no node_exporter');
      this.nodeExporter = url;
      this.findings.measures(['CPU', 'load', 'memory', 'network', 'UDP errors']);
      this.row('nodeExporter', 'node_exporter', {
        state: 'found',
        found: 'on 9100',
        tookMs: this.deps.clock.monotonic() - startMs,
      });
    } catch (error) {
      const refused = error instanceof FullhouseError && error.code === 'refused';
      this.row('nodeExporter', 'node_exporter', {
        state: 'absent',
        found: refused ? 'no, 9100 refuses' : 'none on 9100',
        detail: this.host.address === undefined ? undefined : '/proc over SSH will do',
        tookMs: this.deps.clock.monotonic() - startMs,
      });
    }
  }
}

/** Why the address of a host is not known; with other faults it may be known all the same. */
const lookupFaults: Readonly<Record<string, (host: string) => Pick<ProbeRow, 'found' | 'detail'>>> = {
  ENOTFOUND: (host) => ({
    found: `unknown host ${host}`,
    detail: 'check its spelling, or connect the VPN that knows it',
  }),
  EAI_AGAIN: (host) => ({ found: `${host} can't be looked up: no DNS server responds` }),
};

/** Ports on which families are recognised over TLS. */
const securePorts = (folder: string | undefined): readonly number[] => [
  ...new Set(
    families(folder).flatMap(({ rules }) =>
      (rules?.recognise ?? []).flatMap((rule) =>
        'get' in rule && rule.get.startsWith('https:') ? (rules?.ports[addressParts(rule.get).part] ?? []) : [],
      ),
    ),
  ),
];

function needSentence(need: ServerNeed, software: string): string {
  if (need === 'apiKey') return `API key of ${software}`;
  if (need === 'user') return `User of ${software}'s API`;
  return apiSecrets[need].need(software);
}

/** Only a plain address may be a TURN server. */
const familiesFor = ({ url }: TypedAddress, folder: string | undefined): ReturnType<typeof families> =>
  url && /^turns?:$/.test(url.protocol) ? [familyOf({ server: 'generic' })] : families(folder);
