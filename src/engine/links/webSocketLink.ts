import WebSocket from 'ws';
import { agentProtocolVersion, agentResponse } from '../../contract/agentProtocol';
import type { AgentCallName, AgentParams, AgentResult, HelloResult } from '../../contract/agentCalls';
import type { AgentRecord } from '../../contract/agentSample';
import type { ClockView } from '../../domain/model/node';
import { FullhouseError } from '../../contract/calls';
import { latestMs, systemClock, waitUntil, type Cancel, type Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import { log } from '../base/log';
import { BestOffset } from './bestOffset';
import type { AgentLink, AgentLinkOptions, LinkState } from './agentLink';
import { dialAgent, textOf, type AgentSocket } from './agentSocket';
import { OpenRequests } from './openRequests';
import { RecordInbox } from './recordInbox';
import { errorText } from '../../domain/text/errorText';
import { parseForeignJson } from '../../domain/budget/foreignJson';

const backoffMs = [100, 250, 500, 1000, 2000];
/** Max time to read the last messages of an agent that has ended. */
const drainTimeoutMs = 3000;
/** Both clocks have a resolution of 1 ms. */
const resolutionMs = 2;

/** The link over the agent's WebSocket, which reconnects until it is closed. */
class WebSocketLink implements AgentLink {
  state: LinkState = 'connecting';
  private greeting: HelloResult | undefined;
  private socket: AgentSocket | undefined;
  private attempts = 0;
  private retryWaits = false;
  private lastFrameMs = 0;
  private readonly trips: number[] = [];
  private readonly offset = new BestOffset();
  private readonly inbox: RecordInbox;
  private readonly requests: OpenRequests;
  private readonly states = new Emitter<LinkState>();
  private readonly problems = new Emitter<string>();
  private readonly timers = new Set<Cancel>();
  private readonly clock: Clock;

  constructor(private readonly options: AgentLinkOptions) {
    this.clock = options.clock ?? systemClock;
    const problem = (sentence: string): void => this.problems.emit(sentence);
    this.inbox = new RecordInbox(options.who, this.offset, problem, options.ranBefore);
    this.requests = new OpenRequests(options.who, (result) => this.inbox.greet(result), this.clock);
  }

  get hello(): HelloResult {
    if (!this.greeting) throw new FullhouseError('link-lost', `${this.options.who} is not connected yet.`);
    return this.greeting;
  }

  get roundTripMs(): number | undefined {
    return [...this.trips].sort((a, b) => a - b)[Math.floor(this.trips.length / 2)];
  }

  get remoteClock(): ClockView | undefined {
    return this.offset.view;
  }

  /** The agent's name within a sentence. */
  private get inSentence(): string {
    return this.options.who.replace(/^The /, 'the ');
  }

  onRecord(listener: (record: AgentRecord) => void): () => void {
    return this.inbox.on(listener);
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

  async drained(): Promise<void> {
    await waitUntil(this.clock, () => this.state !== 'live', drainTimeoutMs);
  }

  close(): void {
    if (this.state === 'closed') return;
    for (const cancel of this.timers) cancel();
    this.timers.clear();
    this.change('closed');
    this.socket?.terminate();
    this.requests.failAll(new FullhouseError('link-lost', `The link to ${this.inSentence} was closed.`));
  }

  request<C extends AgentCallName>(
    call: C,
    params: AgentParams<C>,
    timeoutMs = this.options.requestTimeoutMs ?? 10_000,
  ): Promise<AgentResult<C>> {
    const { socket } = this;
    if (!socket || socket.readyState !== WebSocket.OPEN)
      return Promise.reject(new FullhouseError('link-lost', `${this.options.who} is not connected now.`));
    return this.requests.send((text) => socket.send(text), call, params, timeoutMs);
  }

  /** One attempt: open, send `hello`, measure. Later failures are handled by `lost`. */
  private async connect(): Promise<void> {
    const { address, token, who, tunnel, dial = dialAgent } = this.options;
    const through = await tunnel?.();
    if (this.state === 'closed') {
      through?.destroy();
      throw new FullhouseError('link-lost', `The link to ${this.inSentence} was closed.`);
    }
    const { socket, opened } = dial(address(), token, who, through);
    this.socket = socket;
    this.inbox.shut();
    socket.on('message', (data) => this.take(socket, textOf(data)));
    await opened;
    socket.once('close', () => this.lost(socket));
    this.lastFrameMs = this.clock.monotonic();
    await this.greet();
    this.attempts = 0;
    this.change('live');
    this.pingLater(0);
  }

  private async greet(): Promise<void> {
    const first = await this.sayHello();
    // `take` has informed the inbox before any record that follows the `hello` result.
    if (first === 'restart') await this.sayHello();
  }

  private async sayHello(): Promise<'same' | 'restart'> {
    const sentMs = this.clock.now();
    const { resumeAfter } = this.inbox;
    const result = await this.request('hello', {
      protocol: agentProtocolVersion,
      client: { name: 'fullhouse', version: this.options.version },
      ...(resumeAfter === undefined ? {} : { resumeAfter }),
    }).catch((error: unknown) => {
      throw error instanceof FullhouseError && error.code === 'protocol-mismatch'
        ? new FullhouseError(
            'protocol-mismatch',
            `${this.options.who} uses another protocol than this Fullhouse ${this.options.version}, which uses protocol ${agentProtocolVersion}. Build or install the agent of the same release. The agent reports: ${error.message}`,
          )
        : error;
    });
    if (result.protocol !== agentProtocolVersion)
      throw new FullhouseError(
        'protocol-mismatch',
        `${this.options.who} is agent ${result.agent} with protocol ${result.protocol}; this Fullhouse ${this.options.version} uses protocol ${agentProtocolVersion}. Build or install the agent of the same release.`,
      );
    this.offset.add(sentMs, this.clock.now(), result.nowMs, resolutionMs);
    const known = this.greeting?.instance;
    this.greeting = result;
    return known !== undefined && known !== result.instance ? 'restart' : 'same';
  }

  private take(socket: AgentSocket, text: string): void {
    if (socket !== this.socket) return;
    this.lastFrameMs = this.clock.monotonic();
    let raw: unknown;
    try {
      raw = parseForeignJson(text);
    } catch {
      return this.problems.emit(`${this.options.who} sent invalid JSON: ${text.slice(0, 80)}`);
    }
    const response = agentResponse.safeParse(raw);
    if (response.success) this.requests.settle(response.data);
    else this.inbox.take(raw, text);
  }

  private pingLater(ms: number): void {
    const dueMs = this.clock.monotonic() + ms;
    this.later(ms, () => {
      if (this.state !== 'live') return;
      const patienceMs = this.options.patienceMs ?? 6000;
      const nowMs = this.clock.monotonic();
      // This process was suspended: the agent's frames wait in the socket.
      if (nowMs - dueMs > latestMs) this.lastFrameMs = nowMs;
      if (nowMs - this.lastFrameMs > patienceMs) {
        this.socket?.terminate();
        return;
      }
      const sentMs = this.clock.now();
      this.request('ping', {}, patienceMs).then(
        ({ nowMs }) => {
          this.offset.add(sentMs, this.clock.now(), nowMs, resolutionMs);
          this.trips.push(this.clock.now() - sentMs);
          if (this.trips.length > 15) this.trips.shift();
        },
        () => undefined, // timeouts are detected above, by the last frame
      );
      this.pingLater(this.options.pingEveryMs ?? 2000);
    });
  }

  private lost(socket: AgentSocket): void {
    if (socket !== this.socket || this.state === 'closed') return;
    this.socket = undefined; // one loss, one new attempt
    this.requests.failAll(new FullhouseError('link-lost', `The link to ${this.inSentence} broke.`));
    if (this.state === 'connecting') return; // the first attempt: `open` reports to its caller
    this.retryLater();
  }

  private retryLater(): void {
    this.change('lost');
    const wait = backoffMs[Math.min(this.attempts, backoffMs.length - 1)] ?? 2000;
    this.attempts += 1;
    log.debug(`Link to ${this.options.who}: attempt ${this.attempts} to reconnect in ${wait} ms.`);
    this.retryWaits = true;
    this.later(wait, () => {
      this.retryWaits = false;
      this.connect().catch((error: unknown) => {
        log.debug(`Link to ${this.options.who}: ${errorText(error)}`);
        // A socket that broke after opening has reported that itself, and the next attempt is scheduled already.
        if (this.state === 'closed' || this.retryWaits) return;
        const fatal =
          error instanceof FullhouseError && (error.code === 'protocol-mismatch' || error.code === 'token-refused');
        if (fatal) {
          this.problems.emit(error.message);
          return this.close();
        }
        const failed = this.socket;
        this.socket = undefined;
        failed?.removeAllListeners('close');
        failed?.terminate();
        this.requests.failAll(new FullhouseError('link-lost', `The link to ${this.inSentence} broke.`));
        this.retryLater();
      });
    });
  }

  private later(ms: number, run: () => void): void {
    const cancel = this.clock.after(ms, () => {
      this.timers.delete(cancel);
      run();
    });
    this.timers.add(cancel);
  }

  private change(state: LinkState): void {
    if (this.state === state) return;
    this.state = state;
    log.debug(`Link to ${this.options.who}: ${state}.`);
    this.states.emit(state);
  }
}

/**
 * Connects and sends `hello`; rejects when the first attempt fails. Afterwards the link reconnects until it is closed.
 */
export async function openAgentLink(options: AgentLinkOptions): Promise<AgentLink> {
  const link = new WebSocketLink(options);
  await link.open();
  return link;
}
