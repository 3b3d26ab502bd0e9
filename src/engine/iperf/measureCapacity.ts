import { FullhouseError } from '../../contract/calls';
import { sleep, systemClock, type Clock } from '../base/clock';
import { tied } from '../telemetry/endWithInput';
import type { CommandResult, CommandRunner, RunningCommand } from './commandRunner';
import { clientFault, parseIperf, secondsOf, type MeasuredBandwidth } from './iperfResult';

export interface CapacityOptions {
  /** Where iperf3 listens, and where its client runs. */
  readonly server: CommandRunner;
  readonly client: CommandRunner;
  /** The server's host as reached by the client. */
  readonly serverAddress: string;
  /** Default 5201. */
  readonly port?: number;
  readonly protocol: 'tcp' | 'udp';
  /** Direction of the data. */
  readonly direction: 'toServer' | 'fromServer';
  /** Whole seconds, 1 to 60. */
  readonly seconds: number;
  /** Required for UDP; optional for TCP, which finds its own rate. */
  readonly bitrateMbps?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** 0 to 1, about once a second. */
  readonly onProgress?: (progress: number) => void;
}

const defaultPort = 5201;
const maxSeconds = 60;
const maxMbps = 100_000;
const startTimeoutMs = 10_000;
/** Beyond the measurement itself: connecting, the last datagrams, the result. */
const endTimeoutMs = 20_000;
const connectTimeoutMs = 5000;
const leaveTimeoutMs = 5000;

/**
 * Measures the network capacity between two hosts: iperf3 listens for one client on one, the other connects. In every
 * case both end afterwards. Rejects with `FullhouseError`s: `bad-input`, `no-iperf3`, `port-blocked`, `port-taken`,
 * `busy`, `aborted`, `timeout`, `iperf3`.
 */
export async function measureCapacity(options: CapacityOptions): Promise<MeasuredBandwidth> {
  const {
    server,
    client,
    serverAddress,
    protocol,
    direction,
    seconds,
    bitrateMbps,
    signal,
    clock = systemClock,
  } = options;
  const port = options.port ?? defaultPort;
  check(options, port);
  const limitSeconds = seconds + Math.ceil((startTimeoutMs + endTimeoutMs) / 1000);
  const listening = new Run(clock, server, ['-s', '-1', '-p', String(port), '--forceflush'], limitSeconds, (line) => {
    const at = secondsOf(line);
    if (at !== undefined) options.onProgress?.(Math.min(1, at / seconds));
  });
  let calling: Run | undefined;
  try {
    await listening.until((line) => line.startsWith('Server listening'), startTimeoutMs, signal);
    if (listening.result) throw serverFault(listening, server.who, port);
    const rate = bitrateMbps === undefined ? [] : ['-b', String(Math.round(bitrateMbps * 1e6))];
    calling = new Run(
      clock,
      client,
      [
        ...['-c', serverAddress, '-p', String(port), '-J', '-t', String(seconds)],
        ...['--connect-timeout', String(connectTimeoutMs)],
        ...(protocol === 'udp' ? ['-u'] : []),
        ...rate,
        ...(direction === 'fromServer' ? ['-R'] : []),
      ],
      limitSeconds,
    );
    await calling.until(() => false, seconds * 1000 + endTimeoutMs, signal);
    if (!calling.result)
      throw new FullhouseError(
        'timeout',
        `iperf3 on ${client.who} did not end within ${seconds + endTimeoutMs / 1000} s; the connection to ${server.who} may be broken.`,
      );
    if (calling.result.code === 127) throw missing(client.who);
    const answer = parseIperf(calling.text, { protocol, direction });
    if (answer?.capacity) {
      options.onProgress?.(1);
      return answer.capacity;
    }
    const error = answer?.error ?? (calling.errors || `exit code ${calling.result.code}`);
    const places = { client: client.who, server: server.who, address: serverAddress, port, protocol };
    throw clientFault(error, places);
  } finally {
    await Promise.all([listening.leave(), calling?.leave()]);
  }
}

function check(options: CapacityOptions, port: number): void {
  const { seconds, bitrateMbps, protocol } = options;
  const fault = (sentence: string): FullhouseError => new FullhouseError('bad-input', sentence);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > maxSeconds)
    throw fault(`A measurement takes 1 to ${maxSeconds} whole seconds.`);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw fault('A port is a number from 1 to 65535.');
  if (bitrateMbps !== undefined && !(bitrateMbps > 0 && bitrateMbps <= maxMbps))
    throw fault(`A bitrate is more than 0 and at most ${maxMbps} Mbit/s.`);
  if (protocol === 'udp' && bitrateMbps === undefined)
    throw fault('UDP needs a bitrate; choose slightly more than the expected capacity.');
  if (/^-|\s/.test(options.serverAddress) || options.serverAddress === '')
    throw fault(`"${options.serverAddress}" is not a host address.`);
}

function missing(who: string): FullhouseError {
  return new FullhouseError(
    'no-iperf3',
    `iperf3 is missing on ${who}: install the package iperf3 there (e.g. apt install iperf3 or dnf install iperf3), then measure again.`,
  );
}

function serverFault(run: Run, who: string, port: number): FullhouseError {
  if (run.result?.code === 127) return missing(who);
  const output = `${run.errors}\n${run.text}`;
  if (/address already in use/i.test(output))
    return new FullhouseError(
      'port-taken',
      `Port ${port} of ${who} is in use by another program, possibly an iperf3 service; choose another port.`,
    );
  const why = output.trim().replace(/^iperf3: error - /, '') || `exit code ${run.result?.code}`;
  return new FullhouseError('iperf3', `iperf3 can't listen on ${who}: ${why}.`);
}

/** One running iperf3. */
class Run {
  /** Resolves when it has ended. */
  result: CommandResult | undefined;
  private readonly out: string[] = [];
  private readonly err: string[] = [];
  private readonly command: Promise<RunningCommand>;
  private readonly over: Promise<void>;
  private onUpdate: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly runner: CommandRunner,
    args: readonly string[],
    limitSeconds: number,
    onLine?: (line: string) => void,
  ) {
    this.command = runner.follow(
      runner.isLocal ? ['iperf3', ...args] : ['sh', '-c', remoteIperf, 'iperf3', String(limitSeconds), ...args],
      {
        line: (line) => {
          this.out.push(line);
          onLine?.(line);
          this.onUpdate();
        },
        errorLine: (line) => void this.err.push(line),
      },
    );
    this.over = this.command
      .then(({ ended }) => ended)
      .then((result) => {
        this.result = result;
      });
    this.over.catch(() => undefined); // reported by `until`
  }

  get text(): string {
    return this.out.join('\n');
  }

  get errors(): string {
    return this.err.join(' ').trim();
  }

  /** Waits for such a line, for its end or for the timeout; throws when cancelled or when it can't run. */
  async until(isIt: (line: string) => boolean, timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    const waiting = new AbortController();
    const off = (): void => waiting.abort();
    signal?.addEventListener('abort', off);
    const line = new Promise<void>((resolve) => {
      this.onUpdate = () => {
        if (this.out.some(isIt)) resolve();
      };
      this.onUpdate();
    });
    try {
      if (!signal?.aborted) await Promise.race([line, this.over, sleep(this.clock, timeoutMs, waiting.signal)]);
    } finally {
      this.onUpdate = () => undefined;
      signal?.removeEventListener('abort', off);
      waiting.abort();
    }
    if (signal?.aborted) throw new FullhouseError('aborted', `The measurement on ${this.runner.who} was cancelled.`);
  }

  /** Ends it and waits for its end. */
  async leave(): Promise<void> {
    const gone = this.command.then(
      (command) => {
        command.end();
        return command.ended;
      },
      () => undefined,
    );
    const timeout = new AbortController();
    await Promise.race([gone, sleep(this.clock, leaveTimeoutMs, timeout.signal)]);
    timeout.abort();
  }
}

/**
 * `$1`: max seconds, the rest are iperf3's own. Tied to its input and limited in time, so that nothing keeps running
 * when the connection breaks. Adds folders of programs that are missing in the PATH of a non-interactive shell.
 */
const remoteIperf = `
PATH=$PATH:/usr/local/bin:/opt/homebrew/bin:/opt/local/bin
export PATH
limit=$1
shift
command -v iperf3 >/dev/null 2>&1 || exit 127
if command -v timeout >/dev/null 2>&1; then set -- timeout "$limit" iperf3 "$@"; else set -- iperf3 "$@"; fi
${tied('"$@"')}`;
