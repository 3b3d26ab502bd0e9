import { eachOf } from '../../base/eachOf';
import { publisherRate } from '../../../domain/model/plan';
import { pushedStream } from '../../../domain/plan/pushedStream';
import { FullhouseError } from '../../../contract/calls';
import { everySecond, type Clock } from '../../base/clock';
import { Emitter } from '../../base/emitter';
import type { WcsRest } from '../../servers/wcs/wcsRest';
import type { PublicationSample, AgentPublishOrder, StreamPublisher } from '../driver';
import { Pace } from './pace';
import { errorText } from '../../../domain/text/errorText';

/** One copy of the stream that is pushed to an address. */
interface Push {
  readonly url: string;
  state: 'waiting' | 'connecting' | 'live' | 'failed';
  /** Its transponder on the tester, while there is one. */
  mediaSessionId?: string | undefined;
}

interface PushJob {
  readonly job: string;
  readonly stream: string;
  readonly pushes: readonly Push[];
  readonly pace: Pace;
  /** Whether it has several publishers. */
  readonly isBatch: boolean;
  problem?: string;
  isStopped: boolean;
}

const maxConcurrent = 4;
const requestTimeoutMs = 15_000;

/** A WCS publishes copies of one of its own streams over RTMP: one transponder per copy, as its own console does. */
export class WcsPusher implements StreamPublisher {
  readonly pushesOwnStreams = true;
  private readonly jobs = new Map<string, PushJob>();
  private readonly samples = new Emitter<{ samples: readonly PublicationSample[]; timeMs: number }>();
  private concurrent = 0;
  private stopTicks: (() => void) | undefined;

  constructor(
    private readonly rest: WcsRest,
    private readonly clock: Clock,
  ) {}

  start({
    job,
    protocol,
    sample,
    url,
    targets,
    ratePerSecond = publisherRate,
  }: AgentPublishOrder): ReturnType<StreamPublisher['start']> {
    const { who } = this.rest;
    const stream = pushedStream(sample);
    if (stream === undefined || protocol !== 'rtmp')
      return Promise.reject(
        new FullhouseError(
          'no-publisher',
          `${who} is a WCS, which pushes one of its own streams over RTMP; write "source: stream://NAME" and "protocol: rtmp".`,
        ),
      );
    const urls = targets?.map((target) => target.url) ?? (url === undefined ? [] : [url]);
    this.jobs.set(job, {
      ...{ job, stream, isStopped: false, isBatch: targets !== undefined },
      pushes: urls.map((url) => ({ url, state: 'waiting' })),
      pace: new Pace(ratePerSecond, this.clock.now()),
    });
    this.stopTicks ??= everySecond(this.clock, () => void this.tick());
    this.pump();
    return Promise.resolve({ warnings: [] });
  }

  /** Ends the transponders of a job; rejects when one could not be ended, which the next call ends. */
  async stop(name: string): Promise<void> {
    const job = this.jobs.get(name);
    if (!job) return;
    job.isStopped = true;
    await eachOf(job.pushes, maxConcurrent, (push) => this.end(push));
    this.jobs.delete(name);
    if (this.jobs.size === 0) this.close();
  }

  onSample(listener: (publications: readonly PublicationSample[], timeMs: number) => void): () => void {
    return this.samples.on(({ samples, timeMs }) => listener(samples, timeMs));
  }

  /** Stops the timer. Active transponders stay: stop them first. */
  close(): void {
    this.stopTicks?.();
    this.stopTicks = undefined;
  }

  private async tick(): Promise<void> {
    this.pump();
    const jobs = [...this.jobs.values()];
    const listed = await this.rest.push.findAll({ timeoutMs: requestTimeoutMs }).then(
      (pushes) => new Set(pushes.flatMap(({ mediaSessionId }) => mediaSessionId ?? [])),
      () => undefined,
    );
    for (const job of listed ? jobs : [])
      for (const push of job.pushes)
        if (push.state === 'live' && push.mediaSessionId !== undefined && !listed?.has(push.mediaSessionId)) {
          push.state = 'failed';
          push.mediaSessionId = undefined;
          job.problem = `${this.rest.who} no longer lists the push of ${job.stream} to ${push.url}.`;
        }
    if (this.jobs.size > 0)
      this.samples.emit({ samples: [...this.jobs.values()].map(sampleOf), timeMs: this.clock.now() });
  }

  /** Starts what is due. */
  private pump(): void {
    for (const job of this.jobs.values()) {
      if (job.isStopped) continue;
      const nowMs = this.clock.now();
      while (this.concurrent < maxConcurrent && job.pace.available(nowMs) >= 1) {
        const push = job.pushes.find(({ state }) => state === 'waiting');
        if (!push) break;
        job.pace.use(1);
        push.state = 'connecting';
        void this.begin(job, push);
      }
      if (job.pushes.some(({ state }) => state === 'waiting')) this.clock.after(50, () => this.pump());
    }
  }

  private async begin(job: PushJob, push: Push): Promise<void> {
    this.concurrent += 1;
    try {
      const terms = { streamName: job.stream, rtmpUrl: push.url, rtmpTransponderFullUrl: true };
      const { mediaSessionId } = await this.rest.push.startup(terms, { timeoutMs: requestTimeoutMs });
      push.mediaSessionId = mediaSessionId;
      push.state = 'live';
      if (job.isStopped) await this.end(push);
    } catch (error) {
      push.state = 'failed';
      job.problem = errorText(error);
    } finally {
      this.concurrent -= 1;
    }
  }

  private async end(push: Push): Promise<void> {
    const { mediaSessionId } = push;
    if (mediaSessionId === undefined) return;
    push.mediaSessionId = undefined;
    try {
      await this.rest.push.terminate(mediaSessionId, { timeoutMs: requestTimeoutMs });
    } catch (error) {
      // It may have ended already.
      if (error instanceof FullhouseError && error.code === 'http-404') return;
      push.mediaSessionId = mediaSessionId;
      throw error;
    }
  }
}

function sampleOf({ job, pushes, isBatch, problem }: PushJob): PublicationSample {
  const of = (wanted: Push['state']): number => pushes.filter(({ state }) => state === wanted).length;
  const [waiting, connecting, live, failed] = [of('waiting'), of('connecting'), of('live'), of('failed')];
  const state = live > 0 ? 'live' : waiting + connecting > 0 ? 'connecting' : 'failed';
  return {
    ...{ job, state },
    ...(problem === undefined ? {} : { problem }),
    ...(isBatch ? { requested: pushes.length, waiting, connecting, live, failed } : {}),
  };
}
