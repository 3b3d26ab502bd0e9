import { randomUUID } from 'node:crypto';
import type { MediaClock } from '../../domain/model/mediaClock';
import { sampleSource } from '../../domain/model/plan';
import { isRtspSource, rtspFault } from '../../domain/plan/rtspSource';
import type { JobView } from '../../domain/model/run';
import { FullhouseError } from '../../contract/calls';
import type { PublicationSample, PublisherPage } from '../load/driver';
import type { MediaSession } from '../servers/adapter';
import { playAddress, publishAddress } from '../servers/addresses';
import { deleteSession, postOffer, type SignallingOptions } from '../servers/signalling';
import { Emitter } from '../base/emitter';
import { startMediaRelay, type MediaRelay } from './mediaRelay';
import { listsStreams, type FleetNode } from './node';
import { agentOrder, isOwnStream, type PublicationOrder } from './publicationOrder';
import { sourceOn } from './mediaFiles';
import { publisherValues } from './publisherValues';

interface Publication {
  readonly job: string;
  readonly node: FleetNode;
  readonly stream: string;
  readonly source: string;
  /** The tester whose agent publishes the stream, when neither the server nor the window does. */
  readonly by?: FleetNode;
  /** Its latest sample. */
  latest?: PublicationSample;
  /** For a stream that the window publishes: where its session ends. */
  readonly session?: string;
}

interface Published {
  readonly job: string;
  /** Sentences about what of the source is not published. */
  readonly warnings: readonly string[];
}

interface Session {
  readonly kind: 'whip' | 'whep';
  readonly node: FleetNode;
  readonly stream: string;
  readonly end: () => Promise<void>;
  readonly relay?: MediaRelay;
}

const stateOf = { connecting: 'starting', live: 'holding', failed: 'failed', ended: 'ended' } as const;

/** The streams that this engine publishes or signals, and the control player's sessions. */
export class Publications {
  readonly changed = new Emitter<void>();
  /** Sessions that their servers have ended, with the reason. */
  readonly sessionEnded = new Emitter<{ readonly session: string; readonly sentence: string }>();
  private readonly publications = new Map<string, Publication>();
  private readonly sessions = new Map<string, Session>();
  private lastJob = 0;

  /** Publication jobs; `nameOf` returns a node's name in the active run. */
  jobs(nameOf: (node: FleetNode) => string): JobView[] {
    return [...this.publications.values()].map(({ job, node, stream, source, session, by, latest }) => {
      const served = node.streams.find((candidate) => candidate.stream === stream);
      const state = latest
        ? stateOf[latest.state]
        : // A server that lists no streams can't confirm the window's own, which counts as live.
          served || (session !== undefined && !listsStreams(node))
          ? 'holding'
          : 'starting';
      return {
        id: job,
        kind: 'publish',
        node: nameOf(node),
        stream,
        source: by ? `${source} by ${nameOf(by)}` : source,
        state,
        fps: latest?.fps ?? served?.fps,
        ...(latest?.requested === undefined
          ? {}
          : { publishers: { requested: latest.requested, live: latest.live ?? 0, failed: latest.failed ?? 0 } }),
        ...(by?.driver.publisher?.publishers ? { isListed: true } : {}),
        problem: latest?.problem,
      };
    });
  }

  /**
   * Publishes streams: the sample by the server itself where it can, else by the agent of the tester `by`. Rejects with
   * `stream-exists`, `no-protocol` and the like.
   */
  async publish(node: FleetNode, order: PublicationOrder, by: FleetNode | undefined): Promise<Published> {
    const { stream, source } = order;
    if (isOwnStream(node.server, order)) {
      await (isRtspSource(source) ? capture(node, order) : node.server.publishSample(stream, sampleSource));
      return { job: this.add({ node, stream, source }), warnings: [] };
    }
    const { publisher } = by?.driver ?? {};
    if (!by || !publisher)
      throw new FullhouseError(
        'no-publisher',
        `${node.id} can't publish streams itself, so a tester with an agent must publish ${stream}; name it with "by".`,
      );
    const job = this.add({ node, stream, source, by });
    const publication = this.publications.get(job);
    const stopListening = publisher.onSample((samples, timeMs) => {
      if (!publication || this.publications.get(job) !== publication) return stopListening();
      publication.latest = samples.find((each) => each.job === job) ?? publication.latest;
      this.changed.emit();
      this.report(by, timeMs, job);
    });
    try {
      const simulcast = await Promise.all(order.simulcast?.map((file) => sourceOn(by, file)) ?? []);
      const files = { source: await sourceOn(by, source), ...(simulcast.length > 0 ? { simulcast } : {}) };
      const { warnings } = await publisher.start(await agentOrder(node, job, { ...order, ...files }));
      return { job, warnings };
    } catch (error) {
      this.publications.delete(job);
      this.changed.emit();
      throw error;
    }
  }

  /** Emits the figures of all of a tester's publishers, at the sample of the first of them. */
  private report(by: FleetNode, timeMs: number, job: string): void {
    const own = [...this.publications.values()].filter((each) => each.by === by);
    if (own[0]?.job !== job) return;
    const values = publisherValues(own.flatMap(({ latest }) => latest ?? []));
    if (Object.keys(values).length > 0) by.news.emit({ kind: 'publishers', timeMs, values });
  }

  /** Whether a publication is known to be live, of several publishers each that has not failed; throws the sentence of a failed one. */
  isLive(job: string): boolean {
    const publication = this.publications.get(job);
    if (publication?.latest?.state === 'failed')
      throw new FullhouseError(
        'publish-failed',
        publication.latest.problem ?? `${publication.stream} could not be published.`,
      );
    const { latest } = publication ?? {};
    if (latest?.requested !== undefined) return (latest.live ?? 0) + (latest.failed ?? 0) === latest.requested;
    if (latest) return latest.state === 'live';
    return publication?.node.streams.some((each) => each.stream === publication.stream) ?? false;
  }

  /** Of several publishers: how many failed, and the latest problem. */
  failedOf(job: string): { readonly failed: number; readonly of: number; readonly problem: string } | undefined {
    const { latest } = this.publications.get(job) ?? {};
    if (!latest?.failed || latest.requested === undefined) return undefined;
    return { failed: latest.failed, of: latest.requested, problem: latest.problem ?? '' };
  }

  /** Each publisher of a job, from its tester. */
  async publishers(job: string, offset: number, limit: number): Promise<PublisherPage> {
    const { publisher } = this.find(job).by?.driver ?? {};
    if (publisher?.publishers) return publisher.publishers(job, offset, limit);
    throw new FullhouseError('not-possible', `No agent publishes "${job}", so its publishers can't be listed.`);
  }

  /** When the agent that publishes this stream from a file sends which time of it. */
  mediaClock(node: FleetNode, stream: string): MediaClock | undefined {
    const publication = [...this.publications.values()].find((each) => each.node === node && each.stream === stream);
    return publication?.latest?.mediaClock;
  }

  private find(job: string): Publication {
    const publication = this.publications.get(job);
    if (publication) return publication;
    throw new FullhouseError('no-job', `Publication "${job}" does not exist; it has ended already.`);
  }

  /** Stops a publication, whoever publishes its stream. */
  async stop(job: string): Promise<void> {
    const publication = this.find(job);
    if (publication.session !== undefined) return this.endSession(publication.session);
    this.publications.delete(job);
    this.changed.emit();
    const { by } = publication;
    if (by) {
      // An agent that has stopped publishes nothing any more.
      if (by.running) await by.driver.publisher?.stop(job);
      return;
    }
    // A node that is no longer running has nothing to stop.
    if (publication.node.running) await publication.node.server.unpublish(publication.stream);
  }

  /** The same at the end of a run: a publication whose node is gone has ended with it. */
  async release(job: string): Promise<void> {
    if (this.publications.has(job)) await this.stop(job);
  }

  /** Stops all publications, whoever publishes their streams. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.publications.keys()].map((job) => this.stop(job)));
  }

  /** Plays a stream in the window; over WHEP where the server has it, unless `protocol` is another. */
  async signalWhep(
    node: FleetNode,
    stream: string,
    offerSdp: string,
    protocol?: 'whep' | 'wcs',
  ): Promise<{ session: string; answerSdp: string }> {
    const { answerSdp, end, ended } = await this.signal(node, 'play', stream, offerSdp, protocol === 'wcs');
    const session = randomUUID();
    this.sessions.set(session, { kind: 'whep', node, stream, end });
    this.watch(session, ended);
    return { session, answerSdp };
  }

  async signalWhip(
    node: FleetNode,
    stream: string,
    source: string,
    offerSdp: string,
  ): Promise<{ session: string; job: string; answerSdp: string }> {
    const { answerSdp, end, ended } = await this.signal(node, 'publish', stream, offerSdp);
    const session = randomUUID();
    this.sessions.set(session, { kind: 'whip', node, stream, end });
    const job = this.add({ node, stream, source, session });
    this.watch(session, ended);
    return { session, job, answerSdp };
  }

  /** Publishes a stream of the window over RTMP or SRT. Rejects with `no-protocol` when the server takes neither. */
  relay(node: FleetNode, stream: string, source: string): { session: string; job: string } {
    const { protocol, url } = publishAddress(node.server, node.id, stream, ['rtmp', 'srt']);
    const relay = startMediaRelay(node.id, stream, protocol, url);
    const session = randomUUID();
    this.sessions.set(session, { kind: 'whip', node, stream, relay, end: () => relay.end() });
    const job = this.add({ node, stream, source, session });
    this.watch(session, relay.ended);
    return { session, job };
  }

  /** More of a relayed stream; one that has ended needs none. */
  relayData(session: string, data: Uint8Array): void {
    this.sessions.get(session)?.relay?.write(data);
  }

  /** Reports a session that its server ends; not before the window knows it. */
  private watch(session: string, ended: Promise<string> | undefined): void {
    void ended?.then((sentence) => {
      setTimeout(() => {
        if (!this.sessions.has(session)) return; // ended by us
        this.drop(session);
        this.sessionEnded.emit({ session, sentence });
      }, 0);
    });
  }

  private drop(session: string): void {
    this.sessions.delete(session);
    for (const publication of this.publications.values())
      if (publication.session === session) this.publications.delete(publication.job);
    this.changed.emit();
  }

  /** Closes a session of `signalWhep` or `signalWhip`; a session that has ended already is fine. */
  async endSession(session: string): Promise<void> {
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

  /** Sessions on a node that are control players of this engine, not viewers of the audience. */
  players(node: FleetNode): number {
    return [...this.sessions.values()].filter((session) => session.kind === 'whep' && session.node === node).length;
  }

  /** Removes the sessions of a node that has ended. */
  forget(node: FleetNode): void {
    for (const [job, publication] of this.publications)
      if (publication.node === node || publication.by === node) this.publications.delete(job);
    for (const [id, session] of this.sessions) if (session.node === node) this.sessions.delete(id);
    this.changed.emit();
  }

  /** With WHEP or WHIP where the server has such an address for the stream, else with its own signalling. */
  private async signal(
    node: FleetNode,
    kind: 'play' | 'publish',
    stream: string,
    offerSdp: string,
    byOwnSignalling = false,
  ): Promise<MediaSession> {
    const { server } = node;
    const { play, publish, token } = server.addresses(stream);
    const known = kind === 'play' ? play.whep : publish.whip;
    if ((known === undefined || byOwnSignalling) && server.signal) return server.signal(kind, stream, offerSdp);
    const url =
      known ??
      (kind === 'play'
        ? playAddress(server, node.id, stream, 'whep')
        : publishAddress(server, node.id, stream, ['whip']).url);
    const { selfSigned, allowCrossOrigin } = node.settings;
    const options = { who: node.id, acceptSelfSigned: selfSigned, allowCrossOrigin };
    const withToken = async (): Promise<SignallingOptions> =>
      token ? { ...options, bearerToken: await token(kind) } : options;
    const { answerSdp, resourceUrl } = await postOffer(url, offerSdp, await withToken());
    // The token is not sent to a session on another host.
    const isSameHost = new URL(resourceUrl).origin === new URL(url).origin;
    return {
      answerSdp,
      end: async () => deleteSession(resourceUrl, isSameHost ? await withToken() : options),
    };
  }

  private add(publication: Omit<Publication, 'job'>): string {
    this.lastJob += 1;
    const job = `publish-${this.lastJob}`;
    this.publications.set(job, { ...publication, job });
    this.changed.emit();
    return job;
  }
}

/** Has the server pull a camera. */
function capture({ server, id }: FleetNode, order: PublicationOrder): Promise<void> {
  const fault = rtspFault(order);
  if (fault !== undefined) throw new FullhouseError('bad-request', fault);
  if (server.capture) return server.capture(order.source);
  throw new FullhouseError(
    'not-possible',
    `${id} can't pull RTSP addresses; publish the camera elsewhere, e.g. by ffmpeg over RTMP, and write "source: external".`,
  );
}
