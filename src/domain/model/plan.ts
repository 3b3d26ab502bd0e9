import type { PullProtocol } from './protocols';
import type { PlanNetwork } from './network';
import type { PlanTurn } from './turn';
import type { PlanTokens } from './viewerTokens';
import type { NodeSettings } from './nodeSettings';
import type { SeriesId } from '../series/series';

/**
 * A plan: the definition of a run. The same data as a form, as YAML and on the command line.
 * `planYaml.ts` reads and writes it; durations are ms and rates per second in here.
 */
export interface Plan {
  readonly name: string;
  /** Nodes by the plan's own names. */
  readonly nodes: Readonly<Record<string, PlanNode>>;
  readonly publish: readonly PlanPublish[];
  /** The audience; the first one if there are several at once. */
  readonly pull: Audience;
  /** Further audiences, each with its own stream and load profile. */
  readonly also?: readonly Audience[];
  readonly expect: Expectations;
  /** Expectations of further series, besides the four of every plan. */
  readonly thresholds?: readonly SeriesThreshold[];
  /** The run ends at the first of these that lasts. */
  readonly stopWhen?: readonly StopCondition[];
  readonly schedule?: PlanSchedule;
  readonly hooks?: readonly PlanHook[];
}

/** A node as a plan describes it: its settings, without secrets. */
export type PlanNode = NodeSettings;

/**
 * Fidelity of a WHEP viewer. `media-only` decrypts the first packets and a sample, and sends what a server needs;
 * `browser` decrypts everything and sends all that a browser sends, at several times the cost.
 */
export const fidelities = ['media-only', 'browser'] as const;
export type Fidelity = (typeof fidelities)[number];

/** How viewers over WebRTC reach the server's candidates. */
export const iceTransports = ['udp', 'tcp'] as const;
export type IceTransport = (typeof iceTransports)[number];

/** What viewers receive. */
export const receivedTracks = ['audio-video', 'audio'] as const;
export type ReceivedTracks = (typeof receivedTracks)[number];

/** The built-in video; a lab generates it, another server gets it from the agent of a tester. */
export const sampleSource = 'sample-240p';
/** The source of a stream that is published elsewhere (the app's camera, an encoder). */
export const externalSource = 'external';
/** Protocols by which testers publish. */
export const publisherProtocols = ['whip', 'rtmp', 'livekit', 'rtsp', 'srt'] as const;
export type PublisherProtocol = (typeof publisherProtocols)[number];
/** Of one entry of a plan. */
export const maxPublishers = 2000;
/** Those over which a publisher can send several layers (simulcast). */
export const simulcastProtocols = ['whip', 'livekit'] as const satisfies readonly PublisherProtocol[];

/** At which publishers start, per second. */
export const publisherRate = 20;

/** Sizes in which one stream is published with simulcast, as many as browsers send. */
export const maxLayers = 3;

export interface PlanPublish {
  readonly stream: string;
  readonly node: string;
  /** `sample-240p`, `external`, the path of a video file on the tester, its stream, or an RTSP address. */
  readonly source: string;
  /** Over WHIP or LiveKit: the smaller layers, paths of video files of the same codec. */
  readonly simulcast?: readonly string[];
  /** LiveKit: layers that nobody watches are not sent, as the server says. */
  readonly dynacast?: boolean;
  /** Tester whose agent publishes the sample; default this machine's, and the lab generates its own. */
  readonly by?: string;
  /** So many publishers, each with its own stream: `{n}` in its name is the number of each, see `numberedName`. */
  readonly publishers?: number;
  /** LiveKit: all of them in the room of this name. */
  readonly oneRoom?: boolean;
  /** At which they start. */
  readonly ratePerSecond?: number;
  /** Default the first of these that the server accepts. */
  readonly protocol?: PublisherProtocol;
}

export interface Audience {
  readonly stream: string;
  /** Name of the origin node. */
  readonly from: string;
  /** Names of the tester nodes; the viewers are split by `weights`, else evenly. */
  readonly by: readonly string[];
  /** Relative share of the audience per tester; default 1. */
  readonly weights?: Readonly<Record<string, number>>;
  readonly protocol: PullProtocol;
  /** Peak viewers. */
  readonly viewers: number;
  /** Maximum arrival rate. */
  readonly ratePerSecond: number;
  /** Hold time at full load, from the last arrival; 0: until stopped. With stages, the total planned time. */
  readonly holdMs: number;
  /** The load profile as stages, instead of a single ramp. Not together with `search`. */
  readonly stages?: readonly PlanStage[];
  /** The audience varies until the largest one is found that meets the expectations. */
  readonly search?: PlanSearch;
  /** Default `media-only`. Only for agents that pull over WHEP. */
  readonly fidelity?: Fidelity;
  /** Default `udp`; `tcp` for ICE over TCP (RFC 6544). Only for agents that pull over WebRTC. */
  readonly transport?: IceTransport;
  /** Default `audio-video`; `audio` for streams without video too. Only for agents. */
  readonly tracks?: ReceivedTracks;
  /** LiveKit: each viewer receives the videos of all participants, at least so many; by default one. Only for agents. */
  readonly videos?: number;
  /** LiveKit: the identity of the participant to watch; by default the first that publishes a video. Only for agents. */
  readonly participant?: string;
  /**
   * LiveKit: size in pixels, as `640x360`, of the element that would show the video; the server sends the smallest layer
   * that fills it. By default the largest layer. Only for agents.
   */
  readonly adaptiveStream?: string;
  /** Viewers of HLS and MPEG-DASH send Common Media Client Data (CTA-5004) with each request. */
  readonly cmcd?: boolean;
  /** Viewers that lose their connection connect again; else they have failed. */
  readonly reconnect?: boolean;
  /** Sessions without media: the connection of the signalling only. Only for WCS with agents. */
  readonly withoutMedia?: boolean;
  /** So many real browsers watch beside the audience; by default `usualBrowserViewers`. */
  readonly browserViewers?: number;
  /** How long each viewer watches, a draw between both; a new one takes its place. Only for agents. */
  readonly watchFor?: PlanWatchTime;
  /** So many streams with numbered names, which the viewers take in turn; see `numberedName`. */
  readonly streams?: number;
  /** Rooms of participants instead of viewers of a stream. Only for LiveKit. */
  readonly rooms?: PlanRooms;
  /** A simulated network between origin and viewers; by default the real one only. Only for agents. */
  readonly network?: PlanNetwork;
  /** A share of the viewers uses a TURN server. Only for agents that pull over WebRTC. */
  readonly turn?: PlanTurn;
  /** A token per viewer: the bearer token of WHEP, or in place of `{token}` in the origin's address. */
  readonly tokens?: PlanTokens;
  /** Headers of each viewer by name; `{n}` is its number and `{token}` its token. Only over HTTP, for agents. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Name of the audience in legends, jobs and reports. */
  readonly label?: string;
}

/** Each decodes and displays the stream, at the cost of many viewers. */
export const maxBrowserViewers = 16;

/**
 * Each viewer is a participant of a room: it publishes, and receives all others of its room. The stream's name is that
 * of the rooms, see `numberedName`; the numbers of viewers are those of participants.
 */
export interface PlanRooms {
  /** Participants of each room. */
  readonly size: number;
  /** What each publishes: the built-in sample, or the path of a video file on the testers. */
  readonly source: string;
}

/** How long viewers watch from their first media on, in ms; equal for the same time. */
export interface PlanWatchTime {
  readonly minMs: number;
  readonly maxMs: number;
}

/** An agent checks once a second who has to leave. */
export const minWatchMs = 1000;
export const maxWatchMs = 24 * 3_600_000;

export const roomSizes = { min: 2, max: 50 } as const;
/** Videos that one viewer receives of a room. */
export const maxVideos = roomSizes.max - 1;

/** One stage of a load profile; each starts at the level that the one before it left, the first at 0 viewers. */
export type PlanStage =
  /** Linear to so many viewers, up or down. */
  | { readonly kind: 'ramp'; readonly viewers: number; readonly overMs: number }
  | { readonly kind: 'hold'; readonly forMs: number }
  /** From the current level to `viewers` in steps, each level held. */
  | {
      readonly kind: 'step';
      readonly viewers: number;
      readonly by: number;
      readonly holdMs: number;
      readonly ratePerSecond: number;
    }
  /** To `viewers` as fast as the rate allows, then back. */
  | {
      readonly kind: 'spike';
      readonly viewers: number;
      readonly forMs: number;
      readonly ratePerSecond: number;
    }
  /** A long hold, at whose end growth is reported. */
  | { readonly kind: 'soak'; readonly forMs: number }
  /** So many viewers are replaced by new ones every `everyMs`, oldest first. */
  | {
      readonly kind: 'churn';
      readonly forMs: number;
      readonly replacePercent: number;
      readonly everyMs: number;
      readonly ratePerSecond: number;
    };

/** Settings of the limit search. */
export interface PlanSearch {
  /** Size of the first audience tried. */
  readonly fromViewers: number;
  /** Upper bound of the search. */
  readonly maxViewers: number;
  /** Settling time after a change of size, not measured. */
  readonly settleMs: number;
  /** How long each size is measured. */
  readonly measureMs: number;
  /** How often the limit is measured again. */
  readonly repeats: number;
  /** The search ends when the largest passing and the smallest failing size are this close, in percent of the size. */
  readonly precisionPercent: number;
}

/** An expectation of any series, judged over the run like `expect`. */
export interface SeriesThreshold {
  readonly series: SeriesId;
  /** The plan's name of the node; default every node with the series. */
  readonly node?: string;
  readonly comparison: Comparison;
  /** In the series' unit. */
  readonly value: number;
  /** Tolerated share of the judged time, in percent; default 0. */
  readonly tolerancePercent?: number;
  /** Grace period from the first arrival on. */
  readonly graceMs?: number;
}

/**
 * When a run stops early: the condition was met for `forMs`. Percent for `degraded`, `failed` (of the target viewers)
 * and `cpu` (of the origin).
 */
export interface StopCondition {
  readonly what: 'degraded' | 'failed' | 'cpu' | SeriesId;
  /** The plan's name of the node, for a series. */
  readonly node?: string;
  readonly comparison: '>' | '<';
  readonly value: number;
  readonly forMs: number;
}

/** When a plan starts automatically, and how often. */
export interface PlanSchedule {
  /** Unix ms; default now. */
  readonly atMs?: number;
  /** Runs in total; default 1. */
  readonly repeat?: number;
  /** From the start of one to the start of the next, or its end if later; default immediately after its end. */
  readonly everyMs?: number;
}

export const hookTimes = ['start', 'full', 'end'] as const;
/**
 * A hook outside the app: a program with its arguments, never a shell command line, or an address that receives a POST
 * with the run as JSON.
 */
export type PlanHook = { readonly at: (typeof hookTimes)[number] } & (
  { readonly run: readonly [string, ...string[]] } | { readonly post: string }
);

export type ExpectationId = 'connected' | 'outages' | 'degraded' | 'cpu' | 'gcPause';
export type Comparison = '>=' | '<=';

/**
 * One condition of the verdict. `connected` and `degraded` in percent, `cpu` in percent of all cores of the origin's
 * host, `gcPause` in ms, `outages` in seconds: the longest one.
 */
export interface Expectation {
  readonly comparison: Comparison;
  readonly value: number;
  /**
   * A default that the plan does not state: if it can't be measured it is a note and decides nothing. Of outages: the
   * same where viewers reconnect.
   */
  readonly ifMeasured?: true;
}
export type Expectations = Readonly<Partial<Record<ExpectationId, Expectation>>>;

/**
 * Defaults if a plan states nothing: common thresholds of the field (80 % CPU, 1 % degraded). Viewers are always
 * counted. A spike of a second does no harm; without media for more than 5 s viewers leave.
 */
export const defaultExpectations: Required<Expectations> = {
  connected: { comparison: '>=', value: 99 },
  outages: { comparison: '<=', value: 5, ifMeasured: true },
  degraded: { comparison: '<=', value: 1, ifMeasured: true },
  cpu: { comparison: '<=', value: 80, ifMeasured: true },
  gcPause: { comparison: '<=', value: 10, ifMeasured: true },
};
