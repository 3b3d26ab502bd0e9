import type { NodeCapabilities, PlayProtocol, PublishProtocol, StreamView } from '../../domain/node';
import type { NodeSecrets, OriginSettings, ServerFamily } from '../../domain/nodeSettings';
import type { SeriesId } from '../../domain/series';
import type { HttpLink } from '../links/http/httpLink';

/** What a server says of itself at one moment. Figures it does not know are absent. */
export interface ServerSample {
  readonly timeMs: number;
  readonly values: Partial<Record<SeriesId, number>>;
  readonly streams: readonly StreamView[];
  /** Time that its API took to answer; absent for servers that tell by themselves. */
  readonly answerMs?: number;
}

/** Where one stream is watched and published on a server, by protocol. */
export interface StreamAddresses {
  readonly play: Readonly<Partial<Record<PlayProtocol, string>>>;
  readonly publish: Readonly<Partial<Record<PublishProtocol, string>>>;
  /** For WHIP and WHEP, where the server wants a bearer token. */
  readonly token?: StreamToken;
  /** Where each viewer has to be somebody of its own, as in a room of LiveKit. */
  readonly viewerTokens?: ViewerTokens;
}

/** Fresh tokens for so many viewers, who arrive within `withinMs`. They belong into no log, sentence or file. */
export type ViewerTokens = (viewers: number, withinMs: number) => readonly string[];

/**
 * A fresh token for these addresses and no other use; each of one `StreamAddresses` is for the same participant, so that who came
 * with one leaves with the next. It holds some minutes, or `holdsMs` for who can't ask for another. Rejects with one sentence when
 * the server does not take it. It belongs into no log, sentence or file.
 */
export type StreamToken = (use: 'play' | 'publish', holdsMs?: number) => Promise<string>;

/** A stream that the window plays or publishes; signalled by the engine, since the window opens no connection but media. */
export interface MediaSession {
  readonly answerSdp: string;
  /** Ends it; one that has ended already is fine. */
  readonly end: () => Promise<void>;
}

/** Signals one stream with a server's own protocol, where that is neither WHEP nor WHIP. */
export type SignalMedia = (
  kind: 'play' | 'publish',
  stream: string,
  offerSdp: string,
) => Promise<MediaSession>;

export interface ServerIdentity {
  /** Name and version, e.g. `SRS 7.0.18`. */
  readonly software: string;
  /** Sentences about a version too old, a setting that is off and the like. */
  readonly remarks?: readonly string[];
  /** The remark about a version too old for something, which its node keeps showing. */
  readonly tooOld?: string;
  /** What it does not tell at the moment though its settings ask for it: one sentence, which its node shows meanwhile. */
  readonly lacking?: string;
  /** Its pid on its host, when its API tells. */
  readonly pid?: number;
  /** Name of its process as ps shows it, to find it on its host. */
  readonly process?: string;
}

/** One server under test, whatever its family. All errors are `FullhouseError`s with a sentence. */
export interface ServerAdapter {
  readonly family: ServerFamily;
  readonly capabilities: NodeCapabilities;
  /** The server can be told to make a stream of its own. */
  readonly makesSamples: boolean;
  /** Rejects when the server does not answer. */
  identify(): Promise<ServerIdentity>;
  /** The server's samples as they come; the returned function ends that. */
  onSample(listener: (sample: ServerSample) => void): () => void;
  /** Trouble in getting samples, told once per change: a sentence, or undefined when it answers again. */
  onProblem(listener: (sentence: string | undefined) => void): () => void;
  /** The streams that it serves now. */
  streams(): Promise<readonly StreamView[]>;
  addresses(stream: string): StreamAddresses;
  publishSample(stream: string, sample: 'sample-240p'): Promise<void>;
  /** Ends a stream that the server makes itself. */
  unpublish(stream: string): Promise<void>;
  /** Ends a stream, whoever publishes it. Rejects with `not-possible` where the family can't. */
  terminate(stream: string): Promise<void>;
  /** Absent where WHEP and WHIP are all there is. */
  readonly signal?: SignalMedia;
  close(): void;
}

/** A server that has to be asked: what an adapter of a family implements. `polledServer.ts` asks it once a second. */
export interface PolledServer {
  readonly family: ServerFamily;
  readonly capabilities: NodeCapabilities;
  identify(): Promise<ServerIdentity>;
  /** One beat: all that the server tells now. Rejects with one sentence; the next beat asks again. */
  poll(): Promise<Omit<ServerSample, 'timeMs' | 'answerMs'>>;
  addresses(stream: string): StreamAddresses;
  terminate?(stream: string): Promise<void>;
  readonly signal?: SignalMedia;
  close?(): void;
}

/** What an adapter is given. */
export interface ServerAccess {
  /** The node's name, for sentences. */
  readonly who: string;
  readonly settings: OriginSettings;
  readonly secrets: () => NodeSecrets;
  /** Already with the node's TLS switch and HTTP basic credentials. */
  readonly http: HttpLink;
  /** The engine's steady time, for what is waited for and measured here. */
  readonly now: () => number;
  /** The system's clock, for tokens and for times of the server's own clock. */
  readonly wall: () => number;
}

/** What a look at an address found. */
export interface ServerFound {
  /** 0 to 1: how sure it is that this family answers there. */
  readonly certainty: number;
  readonly software: string;
  /** For people, e.g. `API on 1985, one stream live`. */
  readonly detail: string;
  /** Settings that open it, `server` and `url` at least. */
  readonly settings: OriginSettings;
  /** What is missing to use it, e.g. an API secret. */
  readonly needs?: ReadonlyArray<'httpPassword' | 'apiSecret' | 'apiKey' | 'user'>;
}

/** Where to look: what a person typed, taken apart. */
export interface ProbeTarget {
  readonly host: string;
  /** As typed; undefined when none was. */
  readonly port?: number;
  /** The whole URL, when one was typed. */
  readonly url?: URL;
  readonly secrets: NodeSecrets;
  readonly http: HttpLink;
}

/** One family: how to find it and how to open it. Every family's folder exports one. */
export interface ServerFamilyModule {
  readonly family: ServerFamily;
  /** Asks the usual places (or the typed one), at most 3 s; undefined when none of them is this family. Never rejects for silence. */
  look(target: ProbeTarget): Promise<ServerFound | undefined>;
  open(access: ServerAccess): PolledServer;
}
