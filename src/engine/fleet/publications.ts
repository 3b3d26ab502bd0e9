import { randomUUID } from 'node:crypto';
import type { JobView } from '../../domain/run';
import { FullhouseError } from '../../contract/calls';
import { deleteSession, postOffer } from '../servers/signalling';
import { Emitter } from '../emitter';
import type { AgentNode } from './agentNode';

interface Publication {
  readonly job: string;
  readonly node: AgentNode;
  readonly stream: string;
  readonly source: string;
  /** For a stream that the window publishes: where its session ends. */
  readonly session?: string;
}

interface Session {
  readonly kind: 'whip' | 'whep';
  readonly node: AgentNode;
  readonly stream: string;
  readonly resourceUrl: string;
}

/** The streams that this engine makes or signals, and the control player's sessions. */
export class Publications {
  readonly changed = new Emitter<void>();
  private readonly publications = new Map<string, Publication>();
  private readonly sessions = new Map<string, Session>();
  private lastJob = 0;

  /** Publication jobs; `nameOf` gives a node's name in the run under way. */
  jobs(nameOf: (node: AgentNode) => string): JobView[] {
    return [...this.publications.values()].map(({ job, node, stream, source }) => {
      const served = node.view().streams.find((candidate) => candidate.stream === stream);
      return {
        id: job,
        kind: 'publish',
        node: nameOf(node),
        stream,
        source,
        state: served ? 'holding' : 'starting',
        fps: served?.fps,
      };
    });
  }

  /** Lets the server itself make the stream. Rejects with `stream-exists` and the like. */
  async publishSample(node: AgentNode, stream: string, sample: 'sample-240p'): Promise<string> {
    await node.server.publishSample(stream, sample);
    return this.add({ node, stream, source: sample });
  }

  /** Ends a publication, whoever makes its stream. */
  async stop(job: string): Promise<void> {
    const publication = this.publications.get(job);
    if (!publication)
      throw new FullhouseError('no-job', `There is no publication "${job}"; it has ended already.`);
    if (publication.session !== undefined) return this.endSession(publication.session);
    this.publications.delete(job);
    this.changed.emit();
    // A node that is no longer running serves nothing that would have to end.
    if (publication.node.running) await publication.node.server.unpublish(publication.stream);
  }

  /** Ends all publications, whoever makes their streams. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.publications.keys()].map((job) => this.stop(job)));
  }

  async signalWhep(
    node: AgentNode,
    stream: string,
    offerSdp: string,
  ): Promise<{ session: string; answerSdp: string }> {
    const { answerSdp, resourceUrl } = await postOffer(node.server.whepUrl(stream), offerSdp);
    const session = randomUUID();
    this.sessions.set(session, { kind: 'whep', node, stream, resourceUrl });
    return { session, answerSdp };
  }

  async signalWhip(
    node: AgentNode,
    stream: string,
    source: string,
    offerSdp: string,
  ): Promise<{ session: string; job: string; answerSdp: string }> {
    const { answerSdp, resourceUrl } = await postOffer(node.server.whipUrl(stream), offerSdp);
    const session = randomUUID();
    this.sessions.set(session, { kind: 'whip', node, stream, resourceUrl });
    return { session, job: this.add({ node, stream, source, session }), answerSdp };
  }

  /** Ends a session that `signalWhep` or `signalWhip` made; one that has ended already is fine. */
  async endSession(session: string): Promise<void> {
    const known = this.sessions.get(session);
    if (!known) return;
    this.sessions.delete(session);
    for (const publication of this.publications.values())
      if (publication.session === session) this.publications.delete(publication.job);
    this.changed.emit();
    if (!known.node.running) return;
    try {
      await deleteSession(known.resourceUrl);
    } catch (error) {
      // A server that is being ended takes its sessions along and need not answer any more.
      if (known.node.staying) throw error;
    }
  }

  /** Viewers on a node that are control players of this engine and not the audience. */
  players(node: AgentNode): number {
    return [...this.sessions.values()].filter((session) => session.kind === 'whep' && session.node === node)
      .length;
  }

  /** Forgets what a node that has ended served. */
  forget(node: AgentNode): void {
    for (const [job, publication] of this.publications)
      if (publication.node === node) this.publications.delete(job);
    for (const [id, session] of this.sessions) if (session.node === node) this.sessions.delete(id);
    this.changed.emit();
  }

  private add(publication: Omit<Publication, 'job'>): string {
    this.lastJob += 1;
    const job = `publish-${this.lastJob}`;
    this.publications.set(job, { ...publication, job });
    this.changed.emit();
    return job;
  }
}
