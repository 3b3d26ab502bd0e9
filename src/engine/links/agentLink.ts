import type { Duplex } from 'node:stream';
import type { ClockView } from '../../domain/model/node';
import type { AgentCallName, AgentParams, AgentResult, HelloResult } from '../../contract/agentCalls';
import type { AgentRecord } from '../../contract/agentSample';
import type { Clock } from '../base/clock';
import type { DialAgent } from './agentSocket';

export type LinkState = 'connecting' | 'live' | 'lost' | 'closed';

/** A connection to one agent, over any transport. */
export interface AgentLink {
  readonly state: LinkState;
  /** What the agent reported about itself in the latest `hello`. */
  readonly hello: HelloResult;
  /** Median round trip of the pings in ms; absent until the first response. */
  readonly roundTripMs: number | undefined;
  /** Offset of the agent's clock; absent before the first measurement. */
  readonly remoteClock: ClockView | undefined;
  /** Rejects with a `FullhouseError`: the agent's own code, `link-lost` or `no-answer`. */
  request<C extends AgentCallName>(call: C, params: AgentParams<C>, timeoutMs?: number): Promise<AgentResult<C>>;
  /** Each record once and in order, also across reconnects; `timeMs` is converted to our clock. */
  onRecord(listener: (record: AgentRecord) => void): () => void;
  onState(listener: (state: LinkState) => void): () => void;
  /** Sentences about unusable data from the agent. */
  onProblem(listener: (sentence: string) => void): () => void;
  /** After the agent's process has ended: resolves when everything it sent has been read. */
  drained(): Promise<void>;
  /** Closes the link, not the agent. */
  close(): void;
}

export interface AgentLinkOptions {
  /** The agent's WebSocket address, host:port; resolved anew for each attempt. */
  readonly address: () => string;
  readonly token: string;
  /** Opens the connection to the agent for each attempt, e.g. through SSH; by default the address is dialled. */
  readonly tunnel?: () => Promise<Duplex>;
  /** For messages: `the audience on this machine`. */
  readonly who: string;
  readonly version: string;
  /** The agent ran before this link: its records until now are of other runs, often of another console. */
  readonly ranBefore?: boolean;
  readonly pingEveryMs?: number;
  /** Without a frame for this long the link counts as lost and is re-established. */
  readonly patienceMs?: number;
  readonly requestTimeoutMs?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Connects in another way; for tests. */
  readonly dial?: DialAgent;
}
