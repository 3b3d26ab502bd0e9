import type { HostKeyQuestion } from '../../../domain/model/node';
import type { AgentLink } from '../../links/agentLink';

/** A machine or pod of a tester group, with a running agent. */
export interface GroupMember {
  /** Place in the group, from 0. A replacement has the place of the member that it replaces. */
  readonly index: number;
  /** For sentences: its host, or its pod. */
  readonly name: string;
  readonly link: AgentLink;
  /** Its share of the viewers relative to the others, e.g. by its measured capacity; default 1. */
  readonly weight?: number;
}

/** A place of the group without a ready member. */
export interface MissingMember {
  readonly index: number;
  readonly name: string;
  /** One sentence; absent while nothing speaks against it. */
  readonly reason?: string;
  /** It can't become ready without a change by the user. */
  readonly isFinal?: boolean;
}

export interface GroupReadiness {
  readonly size: number;
  readonly ready: number;
  readonly missing: readonly MissingMember[];
}

/** Starts and ends the members of a tester group: hosts over SSH, or pods of a cluster. */
export interface GroupSource {
  readonly readiness: GroupReadiness;
  /**
   * Starts all members that are missing. Resolves once each place is ready or has a final reason; rejects with a sentence
   * if the group as a whole can't be started.
   */
  start(signal: AbortSignal): Promise<void>;
  /** Ends what was started, and deletes what was created for it. */
  stop(force?: boolean): Promise<void>;
  /** A member became ready: a first one, or a replacement. */
  onMember(listener: (member: GroupMember) => void): () => void;
  /** A member ended without having been stopped; its viewers are lost. A link that only reconnects is no loss. */
  onLost(listener: (index: number, reason: string, timeMs: number) => void): () => void;
  onReadiness(listener: () => void): () => void;
  /** The host key of a member that waits for confirmation by the user, and the answer to it. */
  hostKey?(): HostKeyQuestion | undefined;
  trust?(fingerprint: string): void;
  /** Closes links and watches; what runs keeps running as it would without a console. */
  close(): Promise<void>;
}
