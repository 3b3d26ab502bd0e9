import type { PublishProtocol } from '../../domain/node';
import type { PullProtocol, Realism } from '../../domain/plan/plan';
import type { FailureStage, JobState, ViewerRow } from '../../domain/run';
import type { SeriesId } from '../../domain/series';
import type { ViewerDetail } from '../../domain/viewerDetail';

/** A pull by one tester. */
export interface PullOrder {
  readonly job: string;
  readonly protocol: PullProtocol;
  /** Where the stream is watched; for `wcs` the origin's WebSocket address. */
  readonly url: string;
  readonly stream: string;
  readonly viewers: number;
  readonly ratePerSecond: number;
  /** The tester ends the pull by itself this long after the last arrival, should nobody tell it earlier; 0: never. */
  readonly mostHoldMs: number;
  /** The stream's own frame rate, when the origin tells it. */
  readonly nominalFps?: number;
  /** How true to a browser the viewers are; by default `lean`. For WHEP only. */
  readonly realism?: Realism;
  /** The server may lead to another origin, as its node's settings say. For WHEP only. */
  readonly allowCrossOrigin?: boolean;
  /** One for each viewer, where each has to be somebody of its own. Secrets: in no log, sample or file. */
  readonly tokens?: readonly string[];
}

/** A job as its tester reports it, once a second. */
export interface PullSample {
  readonly timeMs: number;
  readonly job: string;
  readonly state: Extract<JobState, 'arriving' | 'holding' | 'leaving' | 'ended'>;
  readonly requested: number;
  readonly waiting: number;
  readonly connecting: number;
  readonly connected: number;
  readonly failed: number;
  readonly degraded: number;
  /** Sessions or sockets still held. */
  readonly present: number;
  readonly rateAsked: number;
  readonly rateAchieved: number;
  readonly bitrateKbps: number;
  /** Absent where the tester does not count packets. */
  readonly packetsPerSecond?: number;
  readonly lossPercent?: number;
  readonly freezes: number;
  /** Percentiles and the like, already under their series' names; absent when nothing was measured. */
  readonly values: Partial<Record<SeriesId, number>>;
  /** What the tester knows of its own machine at this moment, whatever the job; absent where it does not look. */
  readonly tester?: Partial<Record<SeriesId, number>>;
  readonly failures: ReadonlyArray<{
    readonly stage: FailureStage;
    readonly cause: string;
    readonly count: number;
    readonly example: { readonly viewer: number; readonly timeMs: number; readonly detail: string };
  }>;
}

/** A stream that a tester is to publish from a sample, until it is stopped. */
export interface PublishOrder {
  readonly job: string;
  readonly protocol: AgentPublishProtocol;
  readonly url: string;
  readonly sample: 'sample-240p';
  /** For WHIP. The agent keeps it to itself, for its goodbye and for coming back after a loss. */
  readonly bearerToken?: string;
  readonly allowCrossOrigin?: boolean;
}

/** Protocols that an agent publishes by. */
export type AgentPublishProtocol = Extract<PublishProtocol, 'whip' | 'rtmp'>;

/** A publication as its tester reports it, once a second. */
export interface PublicationSample {
  readonly job: string;
  readonly state: 'connecting' | 'live' | 'failed' | 'ended';
  readonly fps?: number;
  readonly problem?: string;
}

/** A tester that makes streams too. */
export interface StreamPublisher {
  start(order: PublishOrder): Promise<void>;
  stop(job: string): Promise<void>;
  onSample(listener: (publications: readonly PublicationSample[]) => void): () => void;
}

/** One way to make an audience. All errors are `FullhouseError`s with a sentence. */
export interface LoadDriver {
  /** Absent where the tester publishes nothing. */
  readonly publisher?: StreamPublisher;
  /** What it pulls by. */
  readonly protocols: readonly PullProtocol[];
  /** Most viewers at once; the driver refuses more. */
  readonly viewerLimit: number;
  /** Resolves when the tester has accepted the order; `warnings` are sentences about what it can't do quite as asked. */
  start(order: PullOrder): Promise<{ readonly warnings: readonly string[] }>;
  /** Resolves with the number still there; the samples tell when it has become 0. */
  stop(job: string, force: boolean): Promise<{ readonly left: number }>;
  stopAll(force: boolean): Promise<{ readonly left: number }>;
  /** One sample per job and second. */
  onSample(listener: (samples: readonly PullSample[]) => void): () => void;
  viewers(
    job: string,
    offset: number,
    limit: number,
    state?: ViewerRow['state'],
  ): Promise<{ readonly total: number; readonly viewers: ReadonlyArray<Omit<ViewerRow, 'tester' | 'job'>> }>;
  /** Absent where a tester knows no more of a viewer than its row. */
  viewer?(job: string, viewer: number): Promise<ViewerDetail>;
}
