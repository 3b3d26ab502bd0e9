import { agentCalls, type AgentCallName, type AgentParams, type AgentResult } from '../../contract/agentCalls';
import type { AgentResponse } from '../../contract/agentProtocol';
import { FullhouseError } from '../../contract/calls';
import { afterReading, type Clock } from '../base/clock';

interface Waiting {
  readonly call: AgentCallName;
  resolve(result: unknown): void;
  reject(error: Error): void;
  /** Ends the wait for the response. */
  settled(): void;
}

/** The pending requests to one agent. */
export class OpenRequests {
  private lastId = 0;
  private readonly waiting = new Map<number, Waiting>();

  constructor(
    /** For messages. */
    private readonly who: string,
    /** Takes the result of `hello` synchronously, before the frames that follow it. */
    private readonly onHello: (result: unknown) => void,
    private readonly clock: Clock,
  ) {}

  /** Sends a request; rejects with the agent's own error, `bad-answer`, or `no-answer` after `timeoutMs`. */
  send<C extends AgentCallName>(
    sendText: (text: string) => void,
    call: C,
    params: AgentParams<C>,
    timeoutMs: number,
  ): Promise<AgentResult<C>> {
    return new Promise((resolve, reject) => {
      this.lastId += 1;
      const id = this.lastId;
      const settled = afterReading(this.clock, timeoutMs, () => {
        this.waiting.delete(id);
        reject(new FullhouseError('no-answer', `${this.who} did not respond to ${call} within ${timeoutMs / 1000} s.`));
      });
      this.waiting.set(id, { call, resolve, reject, settled });
      sendText(JSON.stringify({ type: 'request', id, call, params }));
    });
  }

  /** Settles the request that a response belongs to; ignores one that is no longer pending. */
  settle(response: AgentResponse): void {
    const waiting = this.waiting.get(response.id);
    if (!waiting) return;
    this.waiting.delete(response.id);
    waiting.settled();
    if (!response.ok) return waiting.reject(new FullhouseError(response.error.code, response.error.message));
    if (waiting.call === 'hello') this.onHello(response.result);
    const result = agentCalls[waiting.call].result.safeParse(response.result);
    if (result.success) waiting.resolve(result.data);
    else waiting.reject(new FullhouseError('bad-answer', `${this.who} sent an invalid response to ${waiting.call}.`));
  }

  /** No response will come any more. */
  failAll(error: Error): void {
    for (const waiting of this.waiting.values()) {
      waiting.settled();
      waiting.reject(error);
    }
    this.waiting.clear();
  }
}
