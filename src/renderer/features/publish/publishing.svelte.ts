import type { JobView } from '../../../domain/model/run';
import type { NodeView } from '../../../domain/model/node';
import { isLocalSource, type LocalSource } from '../../../domain/model/localSources';
import type { PublishKind, ShellApi } from '../../../contract/shell';
import { pushedSource } from '../../../domain/plan/pushedStream';
import { isRelayed, usualMedia, type PublishMedia, type WindowProtocol } from '../../../domain/model/publishMedia';
import { publishFrom, type PublishSource } from '../../player/publish/publishSources';
import type { PublisherFigures } from '../../player/publish/publisherStats';
import type { PublishListener, PublishSession } from '../../player/publish/publishSession';
import { startSession } from '../../player/publish/startSession';
import type { WindowClient } from '../../client/connection';
import type { Notices } from '../../ui/notices/notices.svelte';

/** What to publish as what. */
export interface PublishChoice {
  readonly source: PublishKind;
  readonly stream: string;
  readonly node: string;
  /** The tester that sends it to another server. */
  readonly by?: string | undefined;
  /** The name of a stream of the tester, for that source. */
  readonly pushed?: string | undefined;
  /** Several publishers of numbered streams. */
  readonly publishers?: number | undefined;
  readonly ratePerSecond?: number | undefined;
  /* The rest is for sources of the window. */
  readonly protocol?: WindowProtocol | undefined;
  readonly media?: PublishMedia | undefined;
  readonly camera?: string | undefined;
  readonly microphone?: string | undefined;
  readonly file?: File | undefined;
  /** What is captured, by its id. */
  readonly capture?: string | undefined;
}

/** Publications: the lab's sample by the lab, the rest by this window. */
export class Publishing {
  isBusy = $state(false);
  /** Figures of this window's publications, by their jobs. */
  figures = $state.raw<Readonly<Record<string, PublisherFigures>>>({});
  #sessions: readonly PublishSession[] = [];
  readonly #engine: WindowClient;
  readonly #shell: Pick<ShellApi, 'call'>;
  readonly #notices: Notices;
  readonly #unsubscribe: () => void;

  constructor(engine: WindowClient, shell: Pick<ShellApi, 'call'>, notices: Notices) {
    this.#engine = engine;
    this.#shell = shell;
    this.#notices = notices;
    this.#unsubscribe = engine.on('jobs', (jobs) => this.#endStopped(jobs));
  }

  /** Starts the lab if needed, then publishes. Returns whether it runs; reports a problem. */
  async start(origin: NodeView, order: PublishChoice): Promise<boolean> {
    this.isBusy = true;
    try {
      if (isLocalSource(order.source)) await this.#publishFromHere(origin, order, order.source);
      else await this.#publishElsewhere(origin, order, order.source);
      return true;
    } catch (error) {
      this.#notices.problem(error);
      return false;
    } finally {
      this.isBusy = false;
    }
  }

  async stop(job: string): Promise<void> {
    try {
      const session = this.#sessions.find((session) => session.job === job);
      if (session) await session.end();
      else await this.#engine.call('publish.stop', { job });
    } catch (error) {
      this.#notices.problem(error);
    }
  }

  /** Ends this window's publications: with Stop all the engine ends the rest. */
  endAll(): void {
    for (const session of this.#sessions) this.#end(session);
  }

  dispose(): void {
    this.#unsubscribe();
    this.endAll();
  }

  async #startLab({ state, server }: NodeView): Promise<void> {
    if (state !== 'live' && server === 'lab') await this.#engine.call('lab.start', {});
  }

  async #publishElsewhere(
    origin: NodeView,
    { stream, by, pushed, publishers, ratePerSecond }: PublishChoice,
    source: Exclude<PublishKind, LocalSource>,
  ): Promise<void> {
    await this.#startLab(origin);
    const { warnings } = await this.#engine.call('publish.start', {
      node: origin.id,
      stream,
      ...engineSource(source, stream, pushed),
      ...(by === undefined ? {} : { by }),
      ...(publishers === undefined ? {} : { publishers, ratePerSecond }),
    });
    for (const warning of warnings) this.#notices.problem(warning);
  }

  async #publishFromHere(origin: NodeView, order: PublishChoice, kind: LocalSource): Promise<void> {
    const { stream, protocol = 'whip', media = usualMedia, capture } = order;
    if (capture !== undefined) await this.#shell.call('shell.chooseCapture', { id: capture });
    // Before the lab is started: a capture must follow the click at once.
    const source = await publishFrom({ ...order, kind, media, streamName: stream });
    try {
      await this.#startLab(origin);
    } catch (error) {
      source.stop();
      throw error;
    }
    const session = await this.#open(origin.id, source, { stream, protocol, media });
    this.#sessions = [...this.#sessions, session];
    if (isRelayed(protocol))
      this.#notices.done(
        `ffmpeg on this machine repackages "${stream}" for ${origin.name}: its video is not transcoded.`,
      );
    for (const remark of [source.remark, session.remark]) if (remark) this.#notices.done(remark);
  }

  async #open(
    node: string,
    source: PublishSource,
    {
      stream,
      protocol,
      media,
    }: Required<Pick<PublishChoice, 'stream'>> & { protocol: WindowProtocol; media: PublishMedia },
  ): Promise<PublishSession> {
    const listener: PublishListener = {
      figures: (figures) => (this.figures = { ...this.figures, [session.job]: figures }),
      ended: (sentence) => {
        this.#sessions = this.#sessions.filter((each) => each !== session);
        const { [session.job]: _, ...others } = this.figures;
        this.figures = others;
        if (sentence) this.#notices.problem(`"${stream}" is no longer published. ${sentence}`);
      },
    };
    const order = { engine: this.#engine, target: { node, stream }, source, media, listener };
    const session = await startSession(order, protocol);
    return session;
  }

  #end(session: PublishSession): void {
    session.end().catch((error: unknown) => this.#notices.problem(error));
  }

  /** Ends publications stopped elsewhere, by Stop all or by the origin. */
  #endStopped(jobs: readonly JobView[]): void {
    for (const session of this.#sessions) {
      const known = jobs.find((job) => job.id === session.job);
      if (!known || known.state === 'ended') this.#end(session);
    }
  }
}

/** The source as a plan names it. */
function engineSource(
  source: Exclude<PublishKind, LocalSource>,
  stream: string,
  pushed = '',
): { readonly source: string; readonly protocol?: 'rtmp' } {
  if (source === 'stream') return { source: pushedSource(pushed), protocol: 'rtmp' };
  return { source: source === 'rtsp' ? stream : source };
}
