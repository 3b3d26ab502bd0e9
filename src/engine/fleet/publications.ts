import type { ClockView } from '../../domain/model/node';
import type { MediaClock } from '../../domain/model/mediaClock';
import { sampleSource, simulcastProtocols, type PublisherProtocol } from '../../domain/model/plan';
import { isRtspSource } from '../../domain/plan/rtspSource';
import type { JobView } from '../../domain/model/run';
import { FullhouseError } from '../../contract/calls';
import type { PublishedFigures } from '../../contract/publishCalls';
import type { LocalSource } from '../../domain/model/localSources';
import type { RelayProtocol } from '../../domain/model/publishMedia';
import type { PublicationSample, PublisherPage } from '../load/driver';
import { publishAddress } from '../servers/addresses';
import { systemClock, type Cancel, type Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import { startMediaRelay } from './mediaRelay';
import { MediaSessions, type WindowSession } from './mediaSessions';
import { listsStreams, type FleetNode } from './node';
import { agentOrder, capture, isOwnStream, type PublicationOrder } from './publicationOrder';
import { sourceOn } from './mediaFiles';
import { publisherValues } from './publisherValues';
import { roomToPublish, signalMedia } from './windowMedia';

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
  /** One of several parts whose publishers are one row. */
  readonly isPart?: true;
  /** Until then its tester may still accept the order to publish, which it has not answered. */
  acceptedUntilMs?: number | undefined;
  /** Its end, while that is requested. */
  ending?: Promise<void> | undefined;
  /** Why it could not be ended. Its tester gets the order again. */
  endProblem?: string;
  /** The next such order. */
  nextOrder?: Cancel | undefined;
}

/** A stream that the agent of a tester publishes, with its latest sample. */
export type TesterPublication = Required<Pick<Publication, 'job' | 'node' | 'stream' | 'by'>> &
  Pick<Publication, 'latest'>;

interface Published {
  readonly job: string;
  /** Sentences about what of the source is not published. */
  readonly warnings: readonly string[];
}

/** What the window publishes. */
interface WindowOrder {
  readonly node: FleetNode;
  readonly stream: string;
  readonly source: LocalSource;
}

/** A tester that could not end a publication gets the order again after so long. */
const orderAgainMs = 1000;
/** A tester that has not answered may load the source for so long before it publishes. */
const lateAcceptanceMs = 60_000;

/** Whether the other end may have done what was requested, though no valid answer arrived. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof FullhouseError && ['link-lost', 'no-answer', 'bad-answer'].includes(error.code);

/** The clock of the lab and of the window, which run on this machine. */
const ownClock: ClockView = { offsetMs: 0, uncertaintyMs: 1 };

const isWebRtc = (protocol: PublisherProtocol | undefined): boolean =>
  simulcastProtocols.some((each) => each === protocol);

const stateOf = { connecting: 'starting', live: 'holding', failed: 'failed', ended: 'ended' } as const;

function sumOf(a: PublicationSample | undefined, b: PublicationSample | undefined): PublicationSample | undefined {
  if (!a || !b) return a ?? b;
  return {
    ...b,
    requested: (a.requested ?? 0) + (b.requested ?? 0),
    live: (a.live ?? 0) + (b.live ?? 0),
    failed: (a.failed ?? 0) + (b.failed ?? 0),
    problem: b.problem ?? a.problem,
  };
}

/** The streams that this engine publishes or signals, and the control player's sessions. */
export class Publications {
  readonly changed = new Emitter<void>();
  readonly sessions = new MediaSessions((session) => this.drop(session));
  private readonly publications = new Map<string, Publication>();
  private lastJob = 0;

  /** `agentBinary`: this machine's agent, which sends what the window publishes over RTMP and SRT. */
  constructor(
    private readonly agentBinary = '',
    private readonly clock: Clock = systemClock,
  ) {}

  /** Whether a tester publishes something that was not ordered to end. */
  isUsing(by: FleetNode): boolean {
    return [...this.publications.values()].some((each) => each.by === by && each.endProblem === undefined);
  }

  /** The streams that agents publish. */
  byAgents(): readonly TesterPublication[] {
    return [...this.publications.values()].flatMap(({ by, ...each }) => (by ? [{ ...each, by }] : []));
  }

  /** Whether this console publishes a stream to a node already. */
  has(node: FleetNode, stream: string): boolean {
    return this.of(node, stream) !== undefined;
  }

  private of(node: FleetNode, stream: string): Publication | undefined {
    return [...this.publications.values()].find(
      (publication) => publication.node === node && publication.stream === stream,
    );
  }

  /** Publication jobs; `nameOf` returns a node's name in the active run. */
  jobs(nameOf: (node: FleetNode) => string): JobView[] {
    return this.rows().map(({ job, node, stream, source, session, by, latest, isPart, endProblem }) => {
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
        ...(by?.driver.publisher?.publishers && !isPart ? { isListed: true } : {}),
        problem: endProblem ?? latest?.problem,
      };
    });
  }

  /** Parts of the same publishers as one, with their sums, and the state and problem of the latest one. */
  private rows(): readonly Publication[] {
    const rows: Publication[] = [];
    for (const each of this.publications.values()) {
      const place = each.isPart
        ? rows.findIndex(
            (row) => row.isPart && row.node === each.node && row.by === each.by && row.stream === each.stream,
          )
        : -1;
      const row = rows[place];
      if (row) rows[place] = { ...row, latest: sumOf(row.latest, each.latest) };
      else rows.push(each);
    }
    return rows;
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
    const isPart = order.firstNumber !== undefined;
    const job = this.add({ node, stream, source, by, ...(isPart ? { isPart } : {}) });
    const publication = this.find(job);
    const stopListening = publisher.onSample((samples, timeMs) => {
      if (this.publications.get(job) !== publication) return stopListening();
      publication.latest = samples.find((sample) => sample.job === job) ?? publication.latest;
      this.changed.emit();
      this.report(by, (each) => each.by === by, job, timeMs);
    });
    let isOrdered = false;
    try {
      const simulcast = await Promise.all(order.simulcast?.map((file) => sourceOn(by, file)) ?? []);
      const files = { source: await sourceOn(by, source), ...(simulcast.length > 0 ? { simulcast } : {}) };
      const ordered = await agentOrder(node, job, { ...order, ...files });
      isOrdered = true;
      publication.acceptedUntilMs = Number.POSITIVE_INFINITY;
      const { warnings } = await publisher.start(ordered);
      publication.acceptedUntilMs = undefined;
      return { job, warnings };
    } catch (error) {
      if (isOrdered && isUnanswered(error)) this.withdraw(publication);
      else this.remove(job);
      throw error;
    }
  }

  /** Ends a publication whose order was not answered, but may have been accepted. */
  private withdraw(publication: Publication): void {
    publication.acceptedUntilMs = this.clock.now() + lateAcceptanceMs;
    if (this.publications.has(publication.job)) void this.requestEnd(publication).catch(() => undefined); // tried again
  }

  /** Emits the figures of some publications as those of a node, at the sample of the first of them. */
  private report(node: FleetNode, isOwn: (each: Publication) => boolean, job: string, timeMs: number): void {
    const ownPublications = [...this.publications.values()].filter(isOwn);
    if (ownPublications[0]?.job !== job) return;
    const samples = ownPublications.flatMap(({ latest }) => latest ?? []);
    if (samples.length === 0) return;
    node.changes.emit({ kind: 'publishers', timeMs, values: publisherValues(samples), samples });
  }

  /** Figures of a publication of the window; those of all of them are recorded as series of their server. */
  figures(session: string, { rttMs, ...figures }: PublishedFigures, timeMs: number): void {
    const publication = [...this.publications.values()].find((publication) => publication.session === session);
    if (!publication) return;
    const { job, node } = publication;
    const roundTripMs = rttMs === undefined ? undefined : { p50: rttMs, p95: rttMs, p99: rttMs };
    publication.latest = { ...figures, job, state: 'live', ...(roundTripMs && { roundTripMs }) };
    this.changed.emit();
    this.report(node, (each) => each.node === node && each.session !== undefined, job, timeMs);
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
    return publication?.node.streams.some((stream) => stream.stream === publication.stream) ?? false;
  }

  /**
   * The clock of a stream's sender reports, where we publish it. Undefined for streams of others, and where the server
   * writes the reports itself, because it is published to over another protocol than WebRTC.
   */
  senderClock(node: FleetNode, stream: string): ClockView | undefined {
    const publication = this.of(node, stream);
    if (!publication) return undefined;
    const { by, latest, session, source } = publication;
    if (by) return isWebRtc(latest?.protocol) && by.running ? by.driver.remoteClock : undefined;
    const isRelayed = session !== undefined && this.sessions.isRelayed(session);
    return isRelayed || isRtspSource(source) ? undefined : ownClock;
  }

  /** How many of several publishers failed, and the latest problem. */
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
    return this.of(node, stream)?.latest?.mediaClock;
  }

  private find(job: string): Publication {
    const publication = this.publications.get(job);
    if (publication) return publication;
    throw new FullhouseError('no-job', `Publication "${job}" does not exist; it has ended already.`);
  }

  /** Stops a publication, whoever publishes its stream. */
  async stop(job: string): Promise<void> {
    const publication = this.find(job);
    if (publication.session !== undefined) return this.sessions.end(publication.session);
    return this.requestEnd(publication);
  }

  private requestEnd(publication: Publication): Promise<void> {
    publication.ending ??= this.end(publication).finally(() => (publication.ending = undefined));
    return publication.ending;
  }

  /** It is removed once it has ended: until then it is listed. */
  private async end(publication: Publication): Promise<void> {
    const { job, by, node, stream } = publication;
    try {
      // What has stopped publishes nothing any more.
      if (by?.running) await by.driver.publisher?.stop(job);
      if (!by && node.running) await node.server.unpublish(stream);
    } catch (error) {
      if (by && !this.hasNone(publication, error)) {
        publication.endProblem = (error as Error).message;
        this.changed.emit();
        this.orderAgain(publication, by);
        throw error;
      }
      // A server that has answered lists the stream itself if it still exists.
      if (!by && !isUnanswered(error)) this.remove(job);
      if (!by) throw error;
    }
    this.remove(job);
  }

  /** Whether its tester answered that it does not publish it, and will not either. */
  private hasNone({ acceptedUntilMs = 0 }: Publication, error: unknown): boolean {
    return error instanceof FullhouseError && error.code === 'no-job' && this.clock.now() >= acceptedUntilMs;
  }

  private orderAgain(publication: Publication, by: FleetNode): void {
    const { job } = publication;
    publication.nextOrder ??= this.clock.after(
      orderAgainMs,
      () => {
        publication.nextOrder = undefined;
        if (this.publications.get(job) !== publication) return;
        // Without a console its agent ends it.
        if (!by.staying) return this.remove(job);
        this.requestEnd(publication).catch(() => undefined); // its problem is listed
      },
      'background',
    );
  }

  private remove(job: string): void {
    this.publications.delete(job);
    this.changed.emit();
  }

  /**
   * Stops a publication at the end of a run: one whose node is gone has ended with it. One that could not be ended
   * before gets the order again anyway.
   */
  async release(job: string): Promise<void> {
    const publication = this.publications.get(job);
    if (publication && publication.endProblem === undefined) await this.stop(job);
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
    const byOwnSignalling = protocol === 'wcs';
    const { answerSdp, end, ended } = await signalMedia(node, { kind: 'play', stream, offerSdp, byOwnSignalling });
    const session = this.sessions.open({ kind: 'play', node, end }, ended);
    return { session, answerSdp };
  }

  /** Publishes a stream of the window; over WHIP where the server has it, unless `protocol` is another. */
  async signalWhip(
    order: WindowOrder,
    offerSdp: string,
    protocol?: 'whip' | 'wcs',
  ): Promise<{ session: string; job: string; answerSdp: string }> {
    const { node, stream } = order;
    const byOwnSignalling = protocol === 'wcs';
    const { answerSdp, end, ended } = await signalMedia(node, { kind: 'publish', stream, offerSdp, byOwnSignalling });
    return { ...this.openPublication(order, { end }, ended), answerSdp };
  }

  /** Publishes a stream of the window over RTMP or SRT. Rejects with `no-protocol` when the server does not take it. */
  relay(order: WindowOrder, protocols: readonly RelayProtocol[]): { session: string; job: string } {
    const { node, stream } = order;
    const { protocol, url } = publishAddress(node.server, node.id, stream, protocols);
    const relay = startMediaRelay(
      { agentBinary: this.agentBinary, who: node.id, stream, clock: this.clock },
      protocol,
      url,
    );
    return this.openPublication(order, { relay, end: () => relay.end() }, relay.ended);
  }

  /** Publishes as a participant of a room: the window signals it itself, over connections that the engine opens. */
  room(order: WindowOrder): { session: string; job: string; url: string } {
    const { url, token, end } = roomToPublish(order.node, order.stream);
    return { ...this.openPublication(order, { token, end }), url };
  }

  private openPublication(
    order: WindowOrder,
    over: Pick<WindowSession, 'end' | 'relay' | 'token'>,
    ended?: Promise<string>,
  ): { session: string; job: string } {
    const session = this.sessions.open({ kind: 'publish', node: order.node, ...over }, ended);
    return { session, job: this.add({ ...order, session }) };
  }

  /** Removes the sessions of a node that has ended. */
  forget(node: FleetNode): void {
    for (const [job, publication] of this.publications)
      if (publication.node === node || publication.by === node) this.publications.delete(job);
    this.sessions.forget(node);
    this.changed.emit();
  }

  /** The publication of a session that is over. */
  private drop(session: string): void {
    for (const publication of this.publications.values())
      if (publication.session === session) this.publications.delete(publication.job);
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
