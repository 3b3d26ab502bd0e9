import type { JobView } from '../../../domain/model/run';
import type { NodeView } from '../../../domain/model/node';
import type { LocalSource } from '../../../domain/model/localSources';
import type { PublishKind, Settings } from '../../../contract/shell';
import { pushedSource } from '../../../domain/plan/pushedStream';
import { needsRelay } from './publishForm';
import { publishFrom } from '../../player/publish/publishSources';
import { RelaySession } from '../../player/publish/relaySession';
import { WhipSession } from '../../player/publish/whipSession';
import type { Engine } from '../../client/connection';
import type { Notices } from '../../ui/notices/notices.svelte';

type PublishOrder = NonNullable<Settings['lastPublish']> & {
  readonly by?: string;
  /** The name of a stream of the tester, for that source. */
  readonly pushed?: string;
  readonly publishers?: number;
  readonly ratePerSecond?: number;
};

/** Publications: the lab's sample by the lab, the rest by this window. */
export class Publishing {
  isBusy = $state(false);
  #sessions: ReadonlyArray<WhipSession | RelaySession> = [];
  readonly #engine: Engine;
  readonly #notices: Notices;
  readonly #unsubscribe: () => void;

  constructor(engine: Engine, notices: Notices) {
    this.#engine = engine;
    this.#notices = notices;
    this.#unsubscribe = engine.on('jobs', (jobs) => this.#endStopped(jobs));
  }

  /**
   * Starts the lab if needed, then publishes; `by` is the tester that sends to another server. Returns whether it runs;
   * reports a problem.
   */
  async start(
    origin: NodeView,
    { source, stream, by, pushed, publishers, ratePerSecond }: PublishOrder,
  ): Promise<boolean> {
    this.isBusy = true;
    try {
      if (origin.state !== 'live' && origin.server === 'lab') await this.#engine.call('lab.start', {});
      if (source === 'camera' || source === 'screen' || source === 'pattern')
        await this.#publishFromHere(origin, source, stream);
      else {
        const { warnings } = await this.#engine.call('publish.start', {
          node: origin.id,
          stream,
          ...engineSource(source, stream, pushed),
          ...(by === undefined ? {} : { by }),
          ...(publishers === undefined ? {} : { publishers, ratePerSecond }),
        });
        for (const warning of warnings) this.#notices.problem(warning);
      }
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
      const session = this.#sessions.find((each) => each.job === job);
      if (session) await session.end();
      else await this.#engine.call('publish.stop', { job });
    } catch (error) {
      this.#notices.problem(error);
    }
  }

  /** Ends this window's publications: with Stop all the engine ends the rest. */
  endAll(): void {
    for (const session of this.#sessions) void session.end();
  }

  dispose(): void {
    this.#unsubscribe();
    this.endAll();
  }

  async #publishFromHere({ id: node, name, can }: NodeView, kind: LocalSource, stream: string): Promise<void> {
    const source = await publishFrom(kind, stream);
    const ended = (sentence: string | undefined): void => {
      this.#sessions = this.#sessions.filter((each) => each !== session);
      if (sentence) this.#notices.problem(`"${stream}" is no longer published. ${sentence}`);
    };
    const target = { node, stream };
    const session = needsRelay(can?.publish)
      ? await RelaySession.start(this.#engine, target, source, ended)
      : await WhipSession.start(this.#engine, target, source, { figures: () => undefined, ended });
    this.#sessions = [...this.#sessions, session];
    if (session instanceof RelaySession)
      this.#notices.done(`ffmpeg on this machine repackages "${stream}" for ${name}: its video is not transcoded.`);
    if (source.remark) this.#notices.done(source.remark);
  }

  /** Ends publications stopped elsewhere, by Stop all or by the origin. */
  #endStopped(jobs: readonly JobView[]): void {
    for (const session of this.#sessions) {
      const known = jobs.find((each) => each.id === session.job);
      if (!known || known.state === 'ended') void session.end();
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
