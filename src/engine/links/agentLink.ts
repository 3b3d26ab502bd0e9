import type { Duplex } from 'node:stream';
import type {
  AgentCallName,
  AgentParams,
  AgentRecord,
  AgentResult,
  HelloResult,
} from '../../contract/agentProtocol';
import { WebSocketLink } from './webSocketLink';

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
  /** Of an agent whose process has ended: resolves when all that it sent has been read. */
  drained(): Promise<void>;
  /** Ends the link, not the agent. */
  close(): void;
}

export interface AgentLinkOptions {
  /** Where the agent's WebSocket is reached, host:port; asked anew for each attempt. */
  readonly address: () => string;
  readonly token: string;
  /** Opens the way to the agent for each attempt, e.g. through SSH; by default the address is dialled. */
  readonly tunnel?: () => Promise<Duplex>;
  /** For sentences: `the audience on this machine`. */
  readonly who: string;
  readonly version: string;
  readonly pingEveryMs?: number;
  /** No frame for this long: the link counts as lost and is made anew. */
  readonly patienceMs?: number;
  readonly requestTimeoutMs?: number;
}

/** Connects and greets; rejects when the first attempt fails. Afterwards the link mends itself until it is closed. */
export async function openAgentLink(options: AgentLinkOptions): Promise<AgentLink> {
  const link = new WebSocketLink(options);
  await link.open();
  return link;
}
