/** One entry of a viewer's timeline. */
export interface ViewerMoment {
  /** Milliseconds since the viewer arrived. */
  readonly atMs: number;
  /** `arrived`, `tcp`, `offer`, `answer`, `ice`, `dtls`, `play`, `first-packet`, `first-frame`, `degraded`, `recovered`, `freeze`, `failed`, `leaving`, `left`; later agents may know more. */
  readonly name: string;
  readonly forMs?: number;
  /** Of `degraded`: the rule that was broken, as in `degradedBecause` of a row. */
  readonly because?: string;
}

/** The path of the media. For WebRTC it is the selected candidate pair (RFC 8445). */
export interface ViewerRoute {
  readonly protocol: string;
  readonly local?: string;
  readonly localType?: string;
  readonly remote?: string;
  readonly remoteType?: string;
}

/** One stream that a viewer receives; counters as in webrtc-stats' inbound-rtp. */
export interface ViewerStream {
  /** `video`, `audio`, or `repair`: retransmissions on a stream of their own (RFC 4588). */
  readonly kind: string;
  readonly codec?: string;
  readonly payloadType?: number;
  readonly clockRate?: number;
  readonly ssrc?: number;
  /** Of RTP; messages with media by RTMP. */
  readonly packets: number;
  readonly bytes?: number;
  readonly lost?: number;
  readonly repaired?: number;
  readonly late?: number;
  readonly jitterMs?: number;
}

/** What is known of one viewer beyond its row in the list. */
export interface ViewerDetail {
  readonly timeline: readonly ViewerMoment[];
  /** Entries that the agent had no room for: it keeps the first 24 changes of a viewer. */
  readonly missed?: number;
  readonly route?: ViewerRoute;
  readonly streams?: readonly ViewerStream[];
  /** Further counters by name, those that are not 0. */
  readonly counters?: Readonly<Record<string, number>>;
}
