import type { FamilyFile } from '../../domain/family/familyFile';
import type { NodeCapabilities, PublishProtocol, StreamView } from '../../domain/model/node';
import type { sampleSource } from '../../domain/model/plan';
import type { PlayProtocol } from '../../domain/model/protocols';
import type { ApiSecretKind, NodeSecrets, OriginSettings } from '../../domain/model/nodeSettings';
import type { ServerFamily } from '../../domain/model/serverFamilies';
import type { SeriesId } from '../../domain/series/series';
import type { Clock } from '../base/clock';
import type { HttpLink } from '../links/http/httpLink';

/** What a server reports at one time. Unknown figures are absent. */
export interface ServerSample {
  readonly timeMs: number;
  readonly values: Partial<Record<SeriesId, number>>;
  readonly streams: readonly StreamView[];
  /** Response time of its API; absent for servers that push their samples. */
  readonly responseMs?: number;
}

/** Where one stream is pulled and published on a server, by protocol. */
export interface StreamAddresses {
  readonly play: Readonly<Partial<Record<PlayProtocol, string>>>;
  readonly publish: Readonly<Partial<Record<PublishProtocol, string>>>;
  /** For WHIP and WHEP, where the server requires a bearer token. */
  readonly token?: StreamToken;
  /** Where each viewer needs its own identity, as in a LiveKit room. */
  readonly viewerTokens?: ViewerTokens;
  /** Tokens for participants of rooms: one per participant, for the room of this name. */
  readonly participantTokens?: ParticipantTokens;
  /** And for participants that only publish. */
  readonly publisherTokens?: ParticipantTokens;
  /** A new participant that only publishes in this room, for the window; its token is valid for `holdsMs`. */
  readonly roomPublisher?: (holdsMs: number) => RoomPublisher;
}

/** One fresh token per viewer, for viewers that connect within `withinMs`. Never in a log, message or file. */
export type ViewerTokens = (viewers: number, withinMs: number) => readonly string[];

/** One participant of a room. */
export interface RoomPublisher {
  /** Never in a log, message or file, nor in the window. */
  readonly token: string;
  /** Removes it from the room; does nothing if it has left. Rejects with a sentence. */
  readonly end: () => Promise<void>;
}

export type ParticipantTokens = (rooms: readonly string[], withinMs: number) => readonly string[];

/**
 * A fresh token for these addresses and nothing else. All tokens of one `StreamAddresses` are for the same participant,
 * so a session opened with one can be closed with the next. Valid for some minutes, or for `holdsMs` where the client
 * can't request another. Rejects with one sentence when the server refuses it. Never in a log, message or file.
 */
export type StreamToken = (use: 'play' | 'publish', holdsMs?: number) => Promise<string>;

/**
 * A stream that the window plays or publishes. The engine does the signalling: the window opens media connections only.
 */
export interface MediaSession {
  readonly answerSdp: string;
  /** Resolves with one sentence when the server ends the session; absent where it does not report that. */
  readonly ended?: Promise<string>;
  /** Ends it; does nothing if it has ended already. */
  readonly end: () => Promise<void>;
}

/** Signals one stream with a server's own protocol, where it is neither WHEP nor WHIP. */
export type SignalMedia = (kind: 'play' | 'publish', stream: string, offerSdp: string) => Promise<MediaSession>;

export interface ServerIdentity {
  /** Name and version, e.g. `SRS 7.0.18`. */
  readonly software: string;
  /** Sentences about an old version, a disabled setting and the like. */
  readonly remarks?: readonly string[];
  /** The remark about a version that lacks something; its node keeps showing it. */
  readonly tooOld?: string;
  /** What it currently does not report although its settings request it: one sentence that its node shows meanwhile. */
  readonly lacking?: string;
  /** Its pid on its host, when its API reports it. */
  readonly pid?: number;
  /** Name of its process in `ps`, to find it on its host. */
  readonly process?: string;
}

/** One server under test, of any family. All errors are `FullhouseError`s with a one-sentence message. */
export interface ServerAdapter {
  readonly family: ServerFamily;
  readonly capabilities: NodeCapabilities;
  /** The server can generate a stream itself. */
  readonly generatesStreams: boolean;
  /** Rejects when the server does not respond. */
  identify(): Promise<ServerIdentity>;
  /** Subscribes to the server's samples; the returned function unsubscribes. */
  onSample(listener: (sample: ServerSample) => void): () => void;
  /** Failures to read samples, once per change: a sentence, or undefined when it responds again. */
  onProblem(listener: (sentence: string | undefined) => void): () => void;
  /** Its live streams. */
  streams(): Promise<readonly StreamView[]>;
  addresses(stream: string): StreamAddresses;
  publishSample(stream: string, sample: typeof sampleSource): Promise<void>;
  /** Pulls a stream from an RTSP address, which becomes its name; absent where the family can't. */
  readonly capture?: (address: string) => Promise<void>;
  /** Stops a stream that the server generates or pulls. */
  unpublish(stream: string): Promise<void>;
  /** Ends a stream of any publisher. Rejects with `not-possible` where the family can't. */
  terminate(stream: string): Promise<void>;
  /** Absent where only WHEP and WHIP exist. */
  readonly signal?: SignalMedia;
  close(): void;
}

/** A server that is polled: what an adapter of a family implements. `polledServer.ts` polls it once a second. */
export interface PolledServer {
  readonly family: ServerFamily;
  readonly capabilities: NodeCapabilities;
  identify(): Promise<ServerIdentity>;
  /** One poll: everything the server reports now. Rejects with one sentence; the next poll tries again. */
  poll(): Promise<Omit<ServerSample, 'timeMs' | 'responseMs'>>;
  addresses(stream: string): StreamAddresses;
  terminate?(stream: string): Promise<void>;
  readonly capture?: (address: string) => Promise<void>;
  readonly signal?: SignalMedia;
  close?(): void;
}

/** What an adapter gets. */
export interface ServerAccess {
  /** The node's name, for messages. */
  readonly who: string;
  readonly settings: OriginSettings;
  readonly secrets: () => NodeSecrets;
  /** With the node's TLS setting and HTTP basic credentials applied. */
  readonly http: HttpLink;
  readonly clock: Clock;
  /** Takes a sentence on something that the server reports in an invalid form; each is reported once. */
  readonly remark?: (sentence: string) => void;
}

/** What a server may require that no probe finds. */
export type ServerNeed = ApiSecretKind | 'apiKey' | 'user';

/** What a probe of an address found. */
export interface ServerFound {
  /** 0 to 1: how likely this family responds there. */
  readonly certainty: number;
  readonly software: string;
  /** Shown to the user, e.g. `API on 1985, one stream live`. */
  readonly detail: string;
  /** Settings to open it with, `server` and `url` at least. */
  readonly settings: OriginSettings;
  /** The stream that the address names. */
  readonly stream?: string;
  /** What is missing to use it, e.g. an API secret. */
  readonly needs?: readonly ServerNeed[];
}

/** What to probe: the user's input, parsed. */
export interface ProbeTarget {
  readonly host: string;
  /** As entered; undefined when none was. */
  readonly port?: number;
  /** The complete URL, when one was entered. */
  readonly url?: URL;
  readonly secrets: NodeSecrets;
  /** Of the server's API. */
  readonly user?: string | undefined;
  readonly http: HttpLink;
  /** As set for `http`, for connections beside it. */
  readonly acceptSelfSigned?: boolean;
  /** An HTTP proxy as typed for this node, or `none`. */
  readonly proxy?: string;
  readonly clock: Clock;
}

/** One family: how to detect it and how to open it. Each family's folder exports one. */
export interface ServerFamilyModule {
  readonly family: ServerFamily;
  /** The rules of a family that is a file. */
  readonly rules?: FamilyFile;
  /**
   * Probes the usual addresses (or the entered one), 3 s at most; undefined when none is this family. Never
   * rejects on a timeout.
   */
  look(target: ProbeTarget): Promise<ServerFound | undefined>;
  open(access: ServerAccess): PolledServer;
}
