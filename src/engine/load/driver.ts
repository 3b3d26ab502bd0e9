import type { AgentParams, AgentResult } from '../../contract/agentCalls';
import type { JobSample, AgentPublication } from '../../contract/agentSample';
import type { JobTurn } from '../../contract/turnProtocol';
import type { JobFailure, AudienceViewer, ViewerDetail } from '../../contract/viewerSchemas';
import type { ClockView } from '../../domain/model/node';
import type { MediaClock } from '../../domain/model/mediaClock';
import type { PlanNetwork } from '../../domain/model/network';
import type { PlanRooms, PlanWatchTime } from '../../domain/model/audienceValues';
import type { AudienceOptions, OrderedOption } from '../../domain/model/options';
import type { PullProtocol } from '../../domain/model/protocols';
import type { Distributions } from '../../domain/distribution/percentileValues';
import type { SeriesId } from '../../domain/series/series';

/** A pull by one tester. */
export interface PullOrder extends Pick<AudienceOptions, OrderedOption> {
  readonly job: string;
  readonly protocol: PullProtocol;
  /** Where the stream is pulled from; for `wcs` the origin's WebSocket address. */
  readonly url: string;
  /** Several streams: each viewer takes the next address. */
  readonly urls?: readonly string[];
  readonly stream: string;
  readonly viewers: number;
  readonly ratePerSecond: number;
  /** The tester ends the pull by itself this long after the last viewer started, unless stopped earlier; 0: never. */
  readonly maxHoldMs: number;
  /** The stream's own frame rate, when the origin reports it. */
  readonly nominalFps?: number;
  /** LiveKit: size of the element that would show the video, as `640x360`. */
  readonly adaptiveStream?: string;
  /** The simulated network of the viewers, and for how long its schedule has been running. */
  readonly network?: PlanNetwork;
  readonly networkForMs?: number;
  /** A share of the viewers uses a TURN server. Its secrets: never in a log, sample or file. */
  readonly turn?: JobTurn;
  /** How long each viewer watches before a new one takes its place. */
  readonly watchFor?: PlanWatchTime;
  /** The server may redirect to another origin, as configured for its node. For WHEP only. */
  readonly allowCrossOrigin?: boolean;
  /** The certificate of the server is not verified, as configured for its node. */
  readonly selfSigned?: boolean;
  /** HTTP proxy as configured for its node, or `none`. May contain a secret. */
  readonly proxy?: string;
  /** For servers that require one (Basic). A secret, like tokens. For WHEP only. */
  readonly login?: { readonly user: string; readonly password: string };
  /** The viewers are participants of rooms of this size, which their tokens name. */
  readonly rooms?: PlanRooms;
  /** One per viewer, where each needs its own identity. Secrets: never in a log, sample or file. */
  readonly tokens?: readonly string[];
  /** Headers with places for the number and the token of a viewer, and the first one's number. Secrets, like tokens. */
  readonly headers?: JobHeaders;
}

/** The headers of a job's viewers. */
export interface JobHeaders {
  readonly fields: ReadonlyArray<{ readonly name: string; readonly value: string }>;
  readonly firstViewer: number;
}

/** A job as its tester reports it, once a second. */
export interface PullSample extends Readonly<Pick<JobSample, CommonFigures>> {
  readonly timeMs: number;
  readonly rateTarget: number;
  readonly rateAchieved: number;
  /** Lost viewers that connect again, and how often that has succeeded; absent if none was lost. */
  readonly reconnecting?: number;
  readonly reconnects?: number;
  /** Viewers whose place a new one took; absent if none was. */
  readonly replaced?: number;
  /** One-way delays by the tester's own clock. */
  readonly delay?: JobDelay;
  /** Distributions of the interval over the viewers; absent when nothing was measured. */
  readonly distributions: Distributions;
  /** Absent where the tester does not count packets. */
  readonly packetsPerSecond?: number;
  /** Further figures by series name; absent when nothing was measured. */
  readonly values: Partial<Record<SeriesId, number>>;
  /** The tester's current figures of its own machine, for any job; absent where it has none. */
  readonly tester?: Partial<Record<SeriesId, number>>;
  readonly failures: readonly JobFailure[];
}

/** One-way delays of an interval, each less `referenceMs`. */
export interface JobDelay extends Pick<Distributions, 'senderReportDelayMs' | 'captureDelayMs'> {
  readonly referenceMs: number;
  /** Viewers whose sender's clock is more than an hour away. */
  readonly clocksDiffer?: number;
}

/** Figures of a job that every kind of tester has. */
type CommonFigures =
  | 'job'
  | 'state'
  | 'requested'
  | 'waiting'
  | 'connecting'
  | 'connected'
  | 'failed'
  | 'degraded'
  | 'present'
  | 'bitrateKbps'
  | 'lossPercent'
  | 'stalls'
  | 'freezeCount'
  | 'freezeDurationMs';

/** A stream that a tester publishes from a sample, until it is stopped. */
export type AgentPublishOrder = AgentParams<'audience.publish'>;

/** A publication as its tester reports it, once a second. */
export type PublicationSample = Pick<AgentPublication, 'job' | 'state' | 'problem'> &
  Partial<Omit<AgentPublication, 'job' | 'state' | 'problem' | 'mediaClock'>> & {
    readonly mediaClock?: MediaClock;
    /** Share of the interval in which the quality of a publication of the window was limited. */
    readonly limitedPercent?: number | undefined;
  };

export type PublisherPage = AgentResult<'audience.publishers'>;

/** A tester that can also publish streams. */
export interface StreamPublisher {
  /** It publishes streams that it has itself, and no samples. */
  readonly pushesOwnStreams?: boolean;
  /** Resolves when the tester has accepted the order; `warnings` are sentences about limitations. */
  start(order: AgentPublishOrder): Promise<{ readonly warnings: readonly string[] }>;
  stop(job: string): Promise<void>;
  /** Absent where a tester does not know each publisher. */
  publishers?(job: string, offset: number, limit: number): Promise<PublisherPage>;
  onSample(listener: (publications: readonly PublicationSample[], timeMs: number) => void): () => void;
}

/** One way to run an audience. All errors are `FullhouseError`s with a one-sentence message. */
export interface LoadDriver {
  /** Absent where the tester can't publish. */
  readonly publisher?: StreamPublisher;
  /** Offset of the clock by which its viewers measure delays, and its publishers stamp media; absent if unknown. */
  readonly remoteClock?: ClockView;
  /** Its pull protocols. */
  readonly protocols: readonly PullProtocol[];
  /** Max viewers at once; the driver rejects more. Absent where it enforces none. */
  readonly viewerLimit?: number;
  /** Resolves when the tester has accepted the order; `warnings` are sentences about limitations. */
  start(order: PullOrder): Promise<{ readonly warnings: readonly string[] }>;
  /** Resolves with the number of viewers still present; the samples report when it has become 0. */
  stop(job: string, force: boolean): Promise<{ readonly present: number }>;
  stopAll(force: boolean): Promise<{ readonly present: number }>;
  /** One sample per job and second. */
  onSample(listener: (samples: readonly PullSample[]) => void): () => void;
  viewers(
    job: string,
    offset: number,
    limit: number,
    state?: AudienceViewer['state'],
  ): Promise<{ readonly total: number; readonly viewers: readonly AudienceViewer[] }>;
  /** Absent where a tester has no more of a viewer than its row. */
  viewer?(job: string, viewer: number): Promise<ViewerDetail>;
}
