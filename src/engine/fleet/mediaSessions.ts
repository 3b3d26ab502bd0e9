import { randomUUID } from 'node:crypto';
import { nextTurn } from '../base/clock';
import { Emitter } from '../base/emitter';
import type { MediaRelay, RelayProgress } from './mediaRelay';
import type { FleetNode } from './node';

/** A session of the window with a server. */
export interface WindowSession {
  readonly kind: 'play' | 'publish';
  readonly node: FleetNode;
  readonly end: () => Promise<void>;
  readonly relay?: MediaRelay;
  /** For the connections of a room. */
  readonly token?: string;
}

/** The sessions in which the window plays and publishes. */
export class MediaSessions {
  /** Sessions that their servers have ended, with the reason. */
  readonly ended = new Emitter<{ readonly session: string; readonly sentence: string }>();
  private readonly sessions = new Map<string, WindowSession>();

  /** `onDrop` is called with each session that is over. */
  constructor(private readonly onDrop: (session: string) => void) {}

  /** `ended` resolves when the server ends it. */
  open(session: WindowSession, ended: Promise<string> | undefined): string {
    const id = randomUUID();
    this.sessions.set(id, session);
    // Not reported before the window knows the session.
    void ended?.then(async (sentence) => {
      await nextTurn();
      if (!this.sessions.has(id)) return; // ended by us
      this.drop(id);
      this.ended.emit({ session: id, sentence });
    });
    return id;
  }

  /** Ends a session; one that has ended already is fine. */
  async end(session: string): Promise<void> {
    const known = this.sessions.get(session);
    if (!known) return;
    this.drop(session);
    if (!known.node.running) return;
    try {
      await known.end();
    } catch (error) {
      // A server that is shutting down ends its sessions and need not respond any more.
      if (known.node.staying) throw error;
    }
  }

  /** More of a relayed stream; one that has ended needs none. Returns what has been sent so far. */
  relayData(session: string, data: Uint8Array): RelayProgress | undefined {
    const { relay } = this.sessions.get(session) ?? {};
    relay?.write(data);
    return relay?.progress();
  }

  /** Whether ffmpeg on this machine sends what the window publishes in a session. */
  isRelayed(session: string): boolean {
    return this.sessions.get(session)?.relay !== undefined;
  }

  /** The token for a connection of this session to its node; undefined when the session has ended. */
  token(session: string, node: FleetNode): string | undefined {
    const known = this.sessions.get(session);
    return known?.node === node ? known.token : undefined;
  }

  /** Sessions on a node that are control players of this engine, not viewers of the audience. */
  players(node: FleetNode): number {
    return [...this.sessions.values()].filter((session) => session.kind === 'play' && session.node === node).length;
  }

  /** Removes the sessions of a node that has ended. */
  forget(node: FleetNode): void {
    for (const [id, session] of this.sessions) if (session.node === node) this.sessions.delete(id);
  }

  private drop(session: string): void {
    this.sessions.delete(session);
    this.onDrop(session);
  }
}
