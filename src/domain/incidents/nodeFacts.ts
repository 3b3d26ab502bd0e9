import type { NodeRole, NodeState } from '../model/node';

/** What is known of a node now. What is unknown at the moment is absent, and is neither a change nor the end of one. */
export interface NodeFacts {
  readonly id: string;
  /** Differs after its settings were changed: what is known of it is of another server then. */
  readonly identity?: number;
  readonly role: NodeRole;
  readonly state: NodeState;
  readonly problem?: string | undefined;
  /** Its machine, as in `NodeView.host`; absent where unknown. */
  readonly host?: string | undefined;
  /** By our clock, Unix ms. */
  readonly lastSampleMs?: number | undefined;
  /** Name and version, e.g. `SRS 7.0.18`. */
  readonly software?: string | undefined;
  /** Differs after each start of the machine. */
  readonly boot?: string | undefined;
  /** The processes of its server: pid, and something that differs for another process with the same pid. */
  readonly processes?: ReadonlyArray<{ readonly pid: number; readonly startedAt: number }> | undefined;
  /** Its clock minus ours, ms. */
  readonly clockOffsetMs?: number | undefined;
  /** When the certificate of its API expires, Unix ms. */
  readonly certificateExpiresMs?: number | undefined;
  /** Memory of its machine, bytes. */
  readonly memoryBytes?: number | undefined;
  /** Streams of its server; absent while it does not list them. */
  readonly streams?: readonly StreamFacts[] | undefined;
}

export interface StreamFacts {
  readonly stream: string;
  readonly hasPublisher: boolean;
  /** Published by this console, which begins and ends it as ordered. */
  readonly isOurs?: boolean;
}
