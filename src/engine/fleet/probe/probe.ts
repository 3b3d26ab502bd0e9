import { lookup } from 'node:dns/promises';
import { performance } from 'node:perf_hooks';
import type { HostKeyQuestion } from '../../../domain/node';
import type { NodeSecrets, OriginSettings } from '../../../domain/nodeSettings';
import type { ProbeRow, ProbeView } from '../../../domain/probe';
import { FullhouseError } from '../../../contract/calls';
import type { Clock } from '../../clock';
import type { HttpLink } from '../../links/http/httpLink';
import { openHttpLink } from '../../links/http/openHttpLink';
import { openSshLink } from '../../links/ssh/openSshLink';
import type { SshLink } from '../../links/ssh/sshLink';
import { families, familyOf } from '../../servers/families';
import type { HostKeyDesk } from '../hostKeyDesk';
import { Findings } from './findings';
import { findAgentHome, findGcLogs, findIperf3, readFacts } from './hostQuestions';
import { measureClock } from './measureClock';
import { hostInUrl, readTypedAddress, type TypedAddress } from './typedAddress';

export interface ProbeOrder {
  readonly probe: string;
  readonly address: string;
  readonly keyFile?: string;
  readonly jump?: string;
  readonly user?: string;
  readonly apiKey?: string;
  readonly selfSigned?: boolean;
  readonly secrets: NodeSecrets;
}

export interface ProbeDeps {
  readonly clock: Clock;
  readonly hostKeys: HostKeyDesk;
  readonly freeName: (wish: string) => string;
  readonly onView: (view: ProbeView) => void;
}

const hostFigures = ['CPU', 'load', 'memory', 'network', 'UDP errors', 'process'];

/** One look at an address: everything is asked at once, and each answer is told as it comes. Nothing on the other side is changed. */
export class Probe {
  private readonly findings: Findings;
  private readonly http: HttpLink;
  private ssh: SshLink | undefined;
  private isClosed = false;
  private sshAddress: string | undefined;
  private gcLog: string | undefined;
  private nodeExporter: string | undefined;
  private question: HostKeyQuestion | undefined;
  private readonly typed: TypedAddress;

  /** Throws one sentence for an address that is none. */
  constructor(
    private readonly order: ProbeOrder,
    private readonly deps: ProbeDeps,
  ) {
    const { address, probe, user, selfSigned, secrets } = order;
    this.typed = readTypedAddress(address);
    this.findings = new Findings(probe, address, deps.clock.now(), deps.freeName, () => this.tell());
    this.http = openHttpLink({
      who: address,
      acceptSelfSigned: selfSigned,
      ...(user !== undefined && secrets.httpPassword !== undefined
        ? { basic: { user, password: secrets.httpPassword } }
        : {}),
    });
  }

  /** Resolves when everything was asked; it never rejects, since what goes wrong is a finding. */
  async run(): Promise<void> {
    const { typed } = this;
    try {
      await Promise.all([
        this.lookAtName(typed),
        this.lookForServers(typed),
        typed.url ? undefined : this.lookOverSsh(typed),
        this.lookForNodeExporter(typed),
      ]);
    } finally {
      this.findings.settle();
      this.close();
    }
  }

  trust(fingerprint: string): void {
    this.deps.hostKeys.answer(this.question, fingerprint);
  }

  close(): void {
    this.isClosed = true;
    this.http.close();
    this.ssh?.close();
  }

  private tell(): void {
    if (!this.isClosed || this.findings.isDone)
      this.deps.onView(this.findings.view((each) => this.withHost(each)));
  }

  /** What was found of the host goes along with whichever server is added. */
  private withHost(settings: OriginSettings): OriginSettings {
    const { keyFile, jump, user, apiKey, selfSigned } = this.order;
    return {
      ...settings,
      ...(user === undefined ? {} : { user }),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(selfSigned ? { selfSigned } : {}),
      ...(this.sshAddress === undefined
        ? this.nodeExporter === undefined
          ? {}
          : { nodeExporter: this.nodeExporter }
        : {
            ssh: this.sshAddress,
            keyFile,
            jump,
            ...(this.gcLog === undefined ? {} : { gcLog: this.gcLog }),
          }),
    };
  }

  private row(id: ProbeRow['id'], label: string, rest: Omit<ProbeRow, 'id' | 'label'>): void {
    if (!this.isClosed) this.findings.row({ id, label, ...rest });
  }

  private async lookAtName({ host }: TypedAddress): Promise<void> {
    const startMs = performance.now();
    this.row('address', 'Address', { state: 'looking', found: host });
    try {
      const { address } = await lookup(host);
      const detail = address === host ? undefined : `is ${address}`;
      this.row('address', 'Address', {
        state: 'found',
        found: host,
        detail,
        tookMs: performance.now() - startMs,
      });
    } catch {
      // A name of the ssh config needs no address of its own.
      this.row('address', 'Address', {
        state: 'absent',
        found: `${host} has no address here`,
        detail: 'unless your ssh config knows it',
        tookMs: performance.now() - startMs,
      });
    }
  }

  private async lookForServers(typed: TypedAddress): Promise<void> {
    const { secrets } = this.order;
    this.row('server', 'Server', { state: 'looking', found: 'asking the usual ports' });
    let best = -1;
    await Promise.all(
      families.map(async (family) => {
        const startMs = performance.now();
        // With a user in front, the port is SSH's.
        const port = typed.user === undefined ? typed.port : undefined;
        const found = await family
          .look({ host: typed.host, port, url: typed.url, secrets, http: this.http })
          .catch(() => undefined); // a family that trips over an answer is not the one that gave it
        if (!found || this.isClosed) return;
        const settings = this.withHost(found.settings);
        const server = familyOf(settings.server).open({
          who: this.order.address,
          settings,
          secrets: () => secrets,
          http: this.http,
          now: this.deps.clock.now,
        });
        this.findings.server(found, server.capabilities);
        const given = { ...secrets, user: this.order.user, apiKey: this.order.apiKey };
        for (const kind of (found.needs ?? []).filter((each) => given[each] === undefined))
          this.findings.need({ kind, sentence: needSentence(kind, found.software) });
        if (found.certainty <= best) return;
        best = found.certainty;
        const { software, detail } = found;
        this.row('server', 'Server', {
          state: 'found',
          found: software,
          detail,
          tookMs: performance.now() - startMs,
        });
      }),
    );
    const tls = best < 0 ? await this.certificateFault(typed) : undefined;
    if (tls !== undefined) return this.row('server', 'Server', { state: 'failed', found: tls });
    if (best < 0)
      this.row('server', 'Server', {
        state: 'absent',
        found: 'none that is known here',
        detail: typed.url ? 'what answers at this URL is no stream and no API' : 'on its usual ports',
      });
  }

  /** A server whose certificate is refused shows itself to nobody: that is worth a word. */
  private async certificateFault({ host, port, url }: TypedAddress): Promise<string | undefined> {
    if (url && url.protocol !== 'https:') return undefined;
    const address = url?.href ?? `https://${hostInUrl(host)}:${port ?? 443}/`;
    try {
      await this.http.request({ url: address, timeoutMs: 3000 });
    } catch (error) {
      if (error instanceof FullhouseError && error.code === 'tls') return error.message;
    }
    return undefined;
  }

  private async lookForNodeExporter({ host }: TypedAddress): Promise<void> {
    const url = `http://${hostInUrl(host)}:9100/metrics`;
    const startMs = performance.now();
    try {
      const text = await this.http.text({ url, timeoutMs: 3000 });
      if (!text.includes('node_cpu_seconds_total')) throw new FullhouseError('not-it', 'no node_exporter');
      this.nodeExporter = url;
      this.findings.measures(['CPU', 'load', 'memory', 'network', 'UDP errors']);
      this.row('nodeExporter', 'node_exporter', {
        state: 'found',
        found: 'on 9100',
        tookMs: performance.now() - startMs,
      });
    } catch (error) {
      const refused = error instanceof FullhouseError && error.code === 'refused';
      this.row('nodeExporter', 'node_exporter', {
        state: 'absent',
        found: refused ? 'no, 9100 refuses' : 'none on 9100',
        detail: this.sshAddress === undefined ? undefined : '/proc over SSH will do',
        tookMs: performance.now() - startMs,
      });
    }
  }

  private async lookOverSsh(typed: TypedAddress): Promise<void> {
    const { keyFile, jump, secrets } = this.order;
    const port = typed.user === undefined ? undefined : typed.port;
    const address = `${typed.user === undefined ? '' : `${typed.user}@`}${hostInUrl(typed.host)}${port === undefined ? '' : `:${port}`}`;
    const startMs = performance.now();
    this.row('ssh', 'SSH', { state: 'looking', found: 'knocking' });
    let link: SshLink;
    try {
      link = await openSshLink({
        who: this.order.address,
        target: { address, keyFile, jump },
        secret: (kind) => secrets[kind],
        hostKeys: this.deps.hostKeys,
        sshFolder: this.deps.hostKeys.sshFolder,
      });
    } catch (error) {
      return this.sshFailed(error as Error, performance.now() - startMs, typed);
    }
    if (this.isClosed) return link.close();
    this.ssh = link;
    this.sshAddress = address;
    const { user } = link.remote;
    const by = link.authenticatedBy === undefined ? '' : `, ${link.authenticatedBy}`;
    this.row('ssh', 'SSH', {
      state: 'found',
      found: `${user}${by}`,
      detail: 'host key known',
      tookMs: performance.now() - startMs,
    });
    await this.askHost(link);
  }

  private sshFailed(error: Error, tookMs: number, typed: TypedAddress): void {
    const code = error instanceof FullhouseError ? error.code : '';
    const asked = typed.user !== undefined;
    if (code.startsWith('host-key')) {
      this.question = error.cause as HostKeyQuestion;
      this.findings.hostKey = this.question;
    }
    if (code === 'auth' && asked)
      this.findings.need({
        kind: 'sshPassword',
        sentence: `Password of ${typed.user ?? ''} on ${typed.host}, unless a key is to be used`,
      });
    if (code === 'key-passphrase')
      this.findings.need({ kind: 'sshPassphrase', sentence: 'Passphrase of the private key' });
    const isSilent = ['refused', 'timeout', 'unreachable', 'no-such-host'].includes(code) && !asked;
    this.row('ssh', 'SSH', {
      state: isSilent || (code === 'auth' && !asked) ? 'absent' : 'failed',
      found: isSilent
        ? code === 'refused'
          ? 'refuses'
          : 'does not answer'
        : code === 'auth' && !asked
          ? 'answers; write user@host to use it'
          : error.message,
      tookMs,
    });
  }

  private async askHost(link: SshLink): Promise<void> {
    const timed = async (
      id: ProbeRow['id'],
      label: string,
      ask: () => Promise<Omit<ProbeRow, 'id' | 'label'>>,
    ): Promise<void> => {
      const startMs = performance.now();
      this.row(id, label, { state: 'looking', found: 'looking' });
      const rest = await ask().catch((error: Error) => ({ state: 'failed' as const, found: error.message }));
      this.row(id, label, { tookMs: performance.now() - startMs, ...rest });
    };
    let isAgentHost = false;
    await timed('system', 'System', async () => {
      const facts = await readFacts(link);
      isAgentHost = facts.isAgentHost;
      if (facts.hasProc) this.findings.measures(hostFigures);
      return { state: 'found', found: facts.system, detail: `kernel ${facts.kernel}` };
    });
    await Promise.all([
      timed('agent', 'Agent', async () => {
        if (!isAgentHost) return { state: 'absent', found: 'no: agents run on Linux, x86-64 and ARM64' };
        const { home, why } = await findAgentHome(link);
        if (home === undefined) return { state: 'absent', found: `no: ${why ?? 'no home'}` };
        const { keyFile, jump } = this.order;
        this.findings.asTester({ tester: 'ssh', ssh: this.sshAddress, keyFile, jump });
        return { state: 'found', found: 'can play an audience', detail: `from ${home}` };
      }),
      timed('gc', 'GC pauses', async () => {
        const [path, ...others] = await findGcLogs(link);
        if (path === undefined) return { state: 'absent', found: 'no JVM with a GC log runs there' };
        this.gcLog = path;
        this.findings.measures(['GC']);
        return {
          state: 'found',
          found: path,
          detail: others.length > 0 ? `and ${others.length} more` : undefined,
        };
      }),
      timed('iperf3', 'iperf3', async () => {
        const version = await findIperf3(link);
        return version === undefined
          ? { state: 'absent', found: 'not installed', detail: 'the link to it can not be measured' }
          : { state: 'found', found: version };
      }),
      this.askClock(link),
    ]);
  }

  private async askClock(link: SshLink): Promise<void> {
    const label = 'Clock offset';
    const sign = (offsetMs: number): string =>
      `${offsetMs >= 0 ? '+' : '−'}${Math.abs(offsetMs).toFixed(1)} ms`;
    const total = 10;
    try {
      const clock = await measureClock(link, total, (soFar, done) =>
        this.row('clock', label, {
          state: 'looking',
          found: `measuring, ${sign(soFar.offsetMs)} so far`,
          progress: `${done} / ${total}`,
        }),
      );
      this.row('clock', label, {
        state: 'found',
        found: `${sign(clock.offsetMs)}`,
        detail: `± ${clock.uncertaintyMs.toFixed(1)} ms`,
      });
    } catch (error) {
      this.row('clock', label, { state: 'failed', found: (error as Error).message });
    }
  }
}

function needSentence(kind: ProbeView['needs'][number]['kind'], software: string): string {
  switch (kind) {
    case 'apiKey':
      return `API key of ${software}`;
    case 'apiSecret':
      return `API secret of ${software}`;
    case 'user':
      return `User of ${software}'s API`;
    case 'httpPassword':
      return `Password of ${software}'s API`;
    case 'sshPassword':
      return 'Password for SSH';
    case 'sshPassphrase':
      return 'Passphrase of the private key';
  }
}
