import WebSocket from 'ws';
import { FullhouseError } from '../../contract/calls';
import {
  agentCalls,
  agentProtocolVersion,
  agentRecord,
  agentResponse,
  type AgentCallName,
  type AgentParams,
  type AgentRecord,
  type AgentResult,
  type HelloResult,
} from '../../contract/agentProtocol';
import { Emitter } from '../emitter';
import { ClockOffset } from './clockOffset';
import { RecordGate } from './recordGate';

export type LinkState = 'connecting' | 'live' | 'lost' | 'closed';

/** Talking to one agent, whatever way leads to it. */
export interface AgentLink {
  readonly state: LinkState;
  /** What the agent said of itself, from the latest greeting. */
  readonly hello: HelloResult;
  /** Median round trip of the pings in ms; absent until one was answered. */
  readonly roundTripMs: number | undefined;
  /** Rejects with a `FullhouseError`: the agent's own code, `link-lost` or `no-answer`. */
  request<C extends AgentCallName>(
    call: C,
    params: AgentParams<C>,
    timeoutMs?: number,
  ): Promise<AgentResult<C>>;
  /** Each record once and in order, over reconnects too; `timeMs` is already in our clock. */
  onRecord(listener: (record: AgentRecord) => void): () => void;
  onState(listener: (state: LinkState) => void): () => void;
  /** Sentences about what the agent sent and could not be used. */
  onProblem(listener: (sentence: string) => void): () => void;
  /** Ends the link, not the agent. */
  close(): void;
}

export interface AgentLinkOptions {
  /** Where the agent's WebSocket is reached, host:port; asked anew for each attempt. */
  readonly address: () => string;
  readonly token: string;
  /** For sentences: `the audience on this machine`. */
  readonly who: string;
  readonly version: string;
  readonly pingEveryMs?: number;
  /** No frame for this long: the link counts as lost and is made anew. */
  readonly patienceMs?: number;
  readonly requestTimeoutMs?: number;
}

interface Waiting {
  readonly call: AgentCallName;
  resolve(result: unknown): void;
  reject(error: Error): void;
  readonly timer: ReturnType<typeof setTimeout>;
}

const backoffMs = [100, 250, 500, 1000, 2000];

/** Connects and greets; rejects when the first attempt fails. Afterwards the link mends itself until it is closed. */
export async function openAgentLink(options: AgentLinkOptions): Promise<AgentLink> {
  const link = new WebSocketLink(options);
  await link.open();
  return link;
}

/** A frame's text, in whichever of its forms `ws` hands it over. */
function textOf(data: WebSocket.RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return (Buffer.isBuffer(data) ? data : Buffer.from(data)).toString('utf8');
}

class WebSocketLink implements AgentLink {
  state: LinkState = 'connecting';
  private greeting: HelloResult | undefined;
  private socket: WebSocket | undefined;
  private attempts = 0;
  private lastId = 0;
  private lastHeardMs = 0;
  private admitting = false;
  private readonly trips: number[] = [];
  private readonly waiting = new Map<number, Waiting>();
  private readonly gate = new RecordGate();
  private readonly clock = new ClockOffset();
  private readonly records = new Emitter<AgentRecord>();
  /** What came before anybody listened; given out once those who listen have had a turn to say so. */
  private held: AgentRecord[] | undefined = [];
  private readonly states = new Emitter<LinkState>();
  private readonly problems = new Emitter<string>();
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(private readonly options: AgentLinkOptions) {}

  get hello(): HelloResult {
    if (!this.greeting)
      throw new FullhouseError('link-lost', `${this.options.who} has not been reached yet.`);
    return this.greeting;
  }

  get roundTripMs(): number | undefined {
    return [...this.trips].sort((a, b) => a - b)[Math.floor(this.trips.length / 2)];
  }

  onRecord(listener: (record: AgentRecord) => void): () => void {
    if (this.held) setImmediate(() => this.release());
    return this.records.on(listener);
  }
  onState(listener: (state: LinkState) => void): () => void {
    return this.states.on(listener);
  }
  onProblem(listener: (sentence: string) => void): () => void {
    return this.problems.on(listener);
  }

  async open(): Promise<void> {
    try {
      await this.connect();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    if (this.state === 'closed') return;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.change('closed');
    this.socket?.terminate();
    this.failWaiting(new FullhouseError('link-lost', `The link to ${this.options.who} was closed.`));
  }

  request<C extends AgentCallName>(
    call: C,
    params: AgentParams<C>,
    timeoutMs = this.options.requestTimeoutMs ?? 10_000,
  ): Promise<AgentResult<C>> {
    return new Promise((resolve, reject) => {
      const socket = this.socket;
      if (!socket || socket.readyState !== WebSocket.OPEN)
        return reject(new FullhouseError('link-lost', `${this.options.who} can't be reached at the moment.`));
      this.lastId += 1;
      const id = this.lastId;
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(
          new FullhouseError(
            'no-answer',
            `${this.options.who} did not answer ${call} within ${timeoutMs / 1000} s.`,
          ),
        );
      }, timeoutMs);
      this.waiting.set(id, { call, resolve: resolve, reject, timer });
      socket.send(JSON.stringify({ type: 'request', id, call, params }));
    });
  }

  /** One attempt: open, greet, measure. Whatever happens later is the business of `lost`. */
  private async connect(): Promise<void> {
    const address = this.options.address();
    const socket = new WebSocket(`ws://${address}/v1`, {
      headers: { Authorization: `Bearer ${this.options.token}` },
      maxPayload: 1 << 20,
      handshakeTimeout: 5000,
      perMessageDeflate: false,
    });
    this.socket = socket;
    this.admitting = false;
    socket.on('message', (data) => this.take(socket, textOf(data)));
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('unexpected-response', (_request, response) => {
        const refused = response.statusCode === 401;
        reject(
          new FullhouseError(
            refused ? 'token-refused' : 'no-agent',
            refused
              ? `${this.options.who} at ${address} refuses the token; stop the agent that listens there and start it anew.`
              : `What listens at ${address} is no agent: it answers HTTP ${response.statusCode}.`,
          ),
        );
        response.destroy();
        socket.terminate();
      });
      // Also keeps a later error from being thrown: 'close' follows and is where it is dealt with.
      socket.on('error', (error) =>
        reject(
          new FullhouseError(
            'link-lost',
            `${this.options.who} can't be reached at ${address}: ${error.message}.`,
            {
              cause: error,
            },
          ),
        ),
      );
    });
    socket.once('close', () => this.lost(socket));
    this.lastHeardMs = Date.now();
    await this.greet();
    this.attempts = 0;
    this.change('live');
    this.pingLater(0);
  }

  private async greet(): Promise<void> {
    const first = await this.sayHello();
    // `admitted` ran inside `take`, before any record that follows the greeting.
    if (first === 'restart') await this.sayHello();
  }

  private async sayHello(): Promise<'same' | 'restart'> {
    const sentMs = Date.now();
    const result = await this.request('hello', {
      protocol: agentProtocolVersion,
      client: { name: 'fullhouse', version: this.options.version },
      resumeAfter: this.gate.resumeAfter,
    }).catch((error: unknown) => {
      throw error instanceof FullhouseError && error.code === 'protocol-mismatch'
        ? new FullhouseError(
            'protocol-mismatch',
            `${this.options.who} speaks another protocol than this Fullhouse ${this.options.version}, which speaks protocol ${agentProtocolVersion}. Build or install the agent of the same release. The agent says: ${error.message}`,
          )
        : error;
    });
    if (result.protocol !== agentProtocolVersion)
      throw new FullhouseError(
        'protocol-mismatch',
        `${this.options.who} is agent ${result.agent} and speaks protocol ${result.protocol}; this Fullhouse ${this.options.version} speaks protocol ${agentProtocolVersion}. Build or install the agent of the same release.`,
      );
    this.clock.add(sentMs, Date.now(), result.nowMs);
    const known = this.greeting?.instance;
    this.greeting = result;
    return known !== undefined && known !== result.instance ? 'restart' : 'same';
  }

  /** Runs in step with the socket: records that follow a greeting in the same packet must find it taken. */
  private greeted(result: unknown): void {
    const hello = agentCalls.hello.result.safeParse(result);
    if (!hello.success || hello.data.protocol !== agentProtocolVersion) return;
    const { restart, lost } = this.gate.greet(hello.data.instance, hello.data.oldestSequence);
    this.admitting = !restart;
    if (restart) this.problems.emit(`${this.options.who} was restarted.`);
    if (lost > 0 && this.greeting)
      this.problems.emit(
        `${this.options.who} no longer keeps ${lost} records from before the link came back; their figures are missing.`,
      );
  }

  private take(socket: WebSocket, text: string): void {
    if (socket !== this.socket) return;
    this.lastHeardMs = Date.now();
    let raw: unknown;
    try {
      raw = JSON.parse(text);
    } catch {
      return this.problems.emit(`${this.options.who} sent something that is no JSON: ${text.slice(0, 80)}`);
    }
    const response = agentResponse.safeParse(raw);
    if (response.success) {
      const waiting = this.waiting.get(response.data.id);
      if (!waiting) return;
      this.waiting.delete(response.data.id);
      clearTimeout(waiting.timer);
      if (!response.data.ok)
        return waiting.reject(new FullhouseError(response.data.error.code, response.data.error.message));
      if (waiting.call === 'hello') this.greeted(response.data.result);
      const result = agentCalls[waiting.call].result.safeParse(response.data.result);
      if (result.success) waiting.resolve(result.data);
      else
        waiting.reject(
          new FullhouseError(
            'bad-answer',
            `${this.options.who} answered ${waiting.call} with something else than agreed.`,
          ),
        );
      return;
    }
    if (this.admitting) this.takeRecord(raw, text);
  }

  private takeRecord(raw: unknown, text: string): void {
    const record = agentRecord.safeParse(raw);
    if (!record.success)
      return this.problems.emit(
        `${this.options.who} sent a message that can't be read: ${text.slice(0, 120)}`,
      );
    const { news, missing } = this.gate.admit(record.data.sequence);
    if (missing > 0) this.problems.emit(`${missing} records of ${this.options.who} are missing.`);
    if (!news) return;
    const ours = { ...record.data, timeMs: this.clock.toOurs(record.data.timeMs) };
    if (this.held) this.held.push(ours);
    else this.records.emit(ours);
  }

  private release(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const record of held) this.records.emit(record);
  }

  private pingLater(ms: number): void {
    this.later(ms, () => {
      if (this.state !== 'live') return;
      const patienceMs = this.options.patienceMs ?? 6000;
      if (Date.now() - this.lastHeardMs > patienceMs) {
        this.socket?.terminate();
        return;
      }
      const sentMs = Date.now();
      this.request('ping', {}, patienceMs).then(
        ({ nowMs }) => {
          this.clock.add(sentMs, Date.now(), nowMs);
          this.trips.push(Date.now() - sentMs);
          if (this.trips.length > 15) this.trips.shift();
        },
        () => undefined, // silence is judged above, by the last frame heard
      );
      this.pingLater(this.options.pingEveryMs ?? 2000);
    });
  }

  private lost(socket: WebSocket): void {
    if (socket !== this.socket || this.state === 'closed') return;
    this.socket = undefined; // one loss, one new attempt, whoever notices it first
    this.failWaiting(new FullhouseError('link-lost', `The link to ${this.options.who} broke.`));
    if (this.state === 'connecting') return; // the first attempt: `open` tells its caller
    this.change('lost');
    const wait = backoffMs[Math.min(this.attempts, backoffMs.length - 1)] ?? 2000;
    this.attempts += 1;
    this.later(wait, () => {
      this.connect().catch((error: unknown) => {
        if (this.state === 'closed') return;
        const fatal =
          error instanceof FullhouseError &&
          (error.code === 'protocol-mismatch' || error.code === 'token-refused');
        if (fatal) {
          this.problems.emit(error.message);
          return this.close();
        }
        const failed = this.socket;
        if (!failed) return;
        failed.removeAllListeners('close');
        failed.terminate();
        this.lost(failed);
      });
    });
  }

  private later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      run();
    }, ms);
    this.timers.add(timer);
  }

  private failWaiting(error: Error): void {
    for (const waiting of this.waiting.values()) {
      clearTimeout(waiting.timer);
      waiting.reject(error);
    }
    this.waiting.clear();
  }

  private change(state: LinkState): void {
    if (this.state === state) return;
    this.state = state;
    this.states.emit(state);
  }
}
