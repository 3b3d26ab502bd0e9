import type { ClockView, HostKeyQuestion } from '../../../domain/model/node';
import type { NodeSecrets, ReachSettings } from '../../../domain/model/nodeSettings';
import type { ProbeRow } from '../../../domain/model/probe';
import { FullhouseError } from '../../../contract/calls';
import type { Cancel, Clock } from '../../base/clock';
import { openSshLink } from '../../links/ssh/openSshLink';
import type { SshLink } from '../../links/ssh/sshLink';
import { hostInAddress } from '../../servers/addressTemplate';
import type { HostKeyStore } from '../hostKeyStore';
import { hostFigures } from '../node';
import type { Findings } from './findings';
import { findAgentFolder, findGcLogs, findIperf3, readFacts } from './hostQuestions';
import type { TypedAddress } from './typedAddress';

export interface HostProbeParts {
  readonly order: ProbeOrder;
  readonly clock: Clock;
  readonly hostKeys: HostKeyStore;
  readonly findings: Findings;
  readonly row: (id: ProbeRow['id'], label: string, rest: Omit<ProbeRow, 'id' | 'label'>) => void;
  readonly isClosed: () => boolean;
}

/** The part of a probe that uses SSH: whether it connects, and what the machine is and can do. */
export class HostProbe {
  /** As it appears in the settings, once SSH has connected. */
  address: string | undefined;
  /** The host key that waits for confirmation. */
  question: HostKeyQuestion | undefined;
  gcLog: string | undefined;
  private link: SshLink | undefined;

  constructor(private readonly parts: HostProbeParts) {}

  close(): void {
    this.link?.close();
  }

  /** Connects, and inspects the host once connected; resolves when all is done. */
  async look(typed: TypedAddress): Promise<void> {
    const { keyFile, jump, secrets } = this.parts.order;
    const port = typed.user === undefined ? undefined : typed.port;
    const address = `${typed.user === undefined ? '' : `${typed.user}@`}${hostInAddress(typed.host)}${port === undefined ? '' : `:${port}`}`;
    const startMs = this.parts.clock.monotonic();
    this.parts.row('ssh', 'SSH', { state: 'probing', found: 'connecting' });
    let link: SshLink;
    try {
      link = await openSshLink({
        who: this.parts.order.address,
        target: { address, keyFile, jump },
        secret: (kind) => secrets[kind],
        hostKeys: this.parts.hostKeys,
        sshFolder: this.parts.hostKeys.sshFolder,
        // Without a user name SSH is only a guess.
        connectTimeoutMs: typed.user === undefined ? 5000 : 8000,
        clock: this.parts.clock,
      });
    } catch (error) {
      return this.sshFailed(error as Error, this.parts.clock.monotonic() - startMs, typed);
    }
    if (this.parts.isClosed()) return link.close();
    this.link = link;
    this.address = address;
    const { user } = link.remote;
    const by = link.authenticatedBy === undefined ? '' : `, ${link.authenticatedBy}`;
    this.parts.row('ssh', 'SSH', {
      state: 'found',
      found: `${user}${by}`,
      detail: 'host key known',
      tookMs: this.parts.clock.monotonic() - startMs,
    });
    await this.askHost(link);
  }

  private sshFailed(error: Error, tookMs: number, typed: TypedAddress): void {
    const code = error instanceof FullhouseError ? error.code : '';
    const hasTypedUser = typed.user !== undefined;
    const isKeyUnknown = code.startsWith('host-key');
    // A key needs trust only if SSH was requested; of a plain host it is reported that SSH responds.
    if (isKeyUnknown && hasTypedUser) {
      this.question = error.cause as HostKeyQuestion;
      this.parts.findings.hostKey = this.question;
    }
    if (code === 'auth' && hasTypedUser)
      this.parts.findings.need({
        kind: 'sshPassword',
        sentence: `Password of ${typed.user ?? ''} on ${typed.host}, unless a key is to be used`,
      });
    if (code === 'key-passphrase')
      this.parts.findings.need({ kind: 'sshPassphrase', sentence: 'Passphrase of the private key' });
    const isSilent = ['refused', 'timeout', 'unreachable', 'no-such-host'].includes(code) && !hasTypedUser;
    this.parts.row('ssh', 'SSH', {
      state: isSilent || ((code === 'auth' || isKeyUnknown) && !hasTypedUser) ? 'absent' : 'failed',
      found: isSilent
        ? code === 'refused'
          ? 'refuses'
          : 'does not respond'
        : (code === 'auth' || isKeyUnknown) && !hasTypedUser
          ? 'responds; write user@host to use it'
          : error.message,
      tookMs,
    });
  }

  private async askHost(link: SshLink): Promise<void> {
    const timed = async (
      id: ProbeRow['id'],
      label: string,
      ask: () => Promise<Omit<ProbeRow, 'id' | 'label'>>,
    ): Promise<ProbeRow['state']> => {
      const startMs = this.parts.clock.monotonic();
      this.parts.row(id, label, { state: 'probing', found: 'probing' });
      const rest = await ask().catch((error: Error) => ({ state: 'failed' as const, found: error.message }));
      this.parts.row(id, label, { tookMs: this.parts.clock.monotonic() - startMs, ...rest });
      return rest.state;
    };
    let isAgentHost = false;
    const state = await timed('system', 'System', async () => {
      const facts = await readFacts(link);
      isAgentHost = facts.isAgentHost;
      if (facts.hasProc) this.parts.findings.measures(hostFigures);
      return { state: 'found', found: facts.system, detail: `kernel ${facts.kernel}` };
    });
    // A shell that did not respond to the first command does not respond to others.
    if (state === 'failed') return;
    await Promise.all([
      timed('agent', 'Agent', async () => {
        if (!isAgentHost) return { state: 'absent', found: 'no: agents run on Linux, x86-64 and ARM64' };
        const { home, why } = await findAgentFolder(link);
        if (home === undefined) return { state: 'absent', found: `no: ${why ?? 'no home directory'}` };
        const { keyFile, jump } = this.parts.order;
        this.parts.findings.asTester({ tester: 'ssh', ssh: this.address, keyFile, jump });
        return { state: 'found', found: 'can run viewers', detail: `from ${home}` };
      }),
      timed('gc', 'GC pauses', async () => {
        const [path, ...others] = await findGcLogs(link);
        if (path === undefined) return { state: 'absent', found: 'no running JVM with a GC log' };
        this.gcLog = path;
        this.parts.findings.measures(['GC']);
        return {
          state: 'found',
          found: path,
          detail: others.length > 0 ? `and ${others.length} more` : undefined,
        };
      }),
      timed('iperf3', 'iperf3', async () => {
        const version = await findIperf3(link);
        return version === undefined
          ? { state: 'absent', found: 'not installed', detail: "bandwidth can't be measured" }
          : { state: 'found', found: version };
      }),
      this.askClock(link),
    ]);
  }

  private async askClock(link: SshLink): Promise<void> {
    const label = 'Clock offset';
    const sign = (offsetMs: number): string => `${offsetMs >= 0 ? '+' : '−'}${Math.abs(offsetMs).toFixed(1)} ms`;
    const total = 10;
    try {
      const clock = await measureClock(link, total, this.parts.clock, (soFar, done) =>
        this.parts.row('clock', label, {
          state: 'probing',
          found: `measuring, ${sign(soFar.offsetMs)} so far`,
          progress: `${done} / ${total}`,
        }),
      );
      this.parts.row('clock', label, {
        state: 'found',
        found: `${sign(clock.offsetMs)}`,
        detail: `± ${clock.uncertaintyMs.toFixed(1)} ms`,
      });
    } catch (error) {
      this.parts.row('clock', label, { state: 'failed', found: (error as Error).message });
    }
  }
}

/** Answers each line of input with the time; busybox's date does not support nanoseconds and prints %N. */
const script = 'while read -r _; do date +%s.%N; done';

/** Ten round trips to a host far away take a second or two. */
const patienceMs = 5000;

/**
 * The host's clock offset, from `rounds` round trips over one channel: the shortest one is the most accurate (as in
 * NTP). Rejects when the host reports no fractions of a second, or does not respond within 5 s in total.
 */
async function measureClock(
  link: SshLink,
  rounds: number,
  clock: Clock,
  onRound: (soFar: ClockView, done: number) => void,
): Promise<ClockView> {
  // The clock counts in ms, and an offset is often less.
  const startedMs = clock.wall() - clock.monotonic();
  const preciseNow = (): number => startedMs + clock.monotonic();
  let best: ClockView | undefined;
  let take: (line: string) => void = () => undefined;
  let cancelLimit: Cancel = () => undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const sentence = `The host did not report its time within ${patienceMs / 1000} s.`;
    cancelLimit = clock.after(patienceMs, () => reject(new FullhouseError('timeout', sentence)));
  });
  tooLate.catch(() => undefined); // may reject while nothing waits
  const starting = link.follow(['sh', '-c', script], { line: (line) => take(line) });
  try {
    const command = await Promise.race([starting, tooLate]);
    for (let round = 1; round <= rounds; round += 1) {
      const sentMs = preciseNow();
      const answer = new Promise<string>((resolve, reject) => {
        take = resolve;
        void command.ended.then(() => reject(new FullhouseError('link-lost', 'The host stopped responding.')));
        command.write('\n');
      });
      const line = await Promise.race([answer, tooLate]);
      const heardMs = preciseNow();
      if (!/^\d+\.\d+$/.test(line.trim()))
        throw new FullhouseError(
          'no-clock',
          "The host reports whole seconds only, so its clock offset can't be measured.",
        );
      const offsetMs = Number(line) * 1000 - (sentMs + heardMs) / 2;
      const uncertaintyMs = Math.max(0.1, (heardMs - sentMs) / 2);
      if (!best || uncertaintyMs < best.uncertaintyMs) best = { offsetMs, uncertaintyMs };
      onRound(best, round);
    }
  } finally {
    cancelLimit();
    starting.then(
      (command) => command.end(),
      () => undefined,
    );
  }
  if (!best) throw new FullhouseError('no-clock', 'The clock was not queried.');
  return best;
}

/** What the user typed about a node to probe. */
export interface ProbeOrder extends ReachSettings {
  readonly probe: string;
  readonly address: string;
  readonly secrets: NodeSecrets;
  readonly play?: boolean | undefined;
}
