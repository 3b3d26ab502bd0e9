interface Protocol {
  readonly name: string;
  /** How media is sent; TCP hides loss and jitter from the receiver. */
  readonly media: 'webrtc' | 'tcp' | 'udp';
  /** Viewers send HTTP requests. */
  readonly isOverHttp?: true;
  /** Each viewer or publisher is an ffmpeg process of its tester. */
  readonly isByProcess?: true;
  /** A viewer is a series of requests. */
  readonly endsByTimeout?: true;
  readonly isWithoutAudio?: true;
  /** Viewers have no tokens of a plan. */
  readonly isWithoutTokens?: true;
}

/**
 * The protocols by which streams are pulled and played, in the order of preference. Agents support all; a WCS as tester
 * its own WebRTC signalling and RTMP.
 */
const protocols = {
  whep: { name: 'WHEP', media: 'webrtc', isOverHttp: true },
  wcs: { name: 'WCS', media: 'webrtc', isWithoutTokens: true },
  rtmp: { name: 'RTMP', media: 'tcp' },
  livekit: { name: 'LiveKit', media: 'webrtc', isWithoutTokens: true },
  hls: { name: 'HLS', media: 'tcp', isOverHttp: true, endsByTimeout: true },
  dash: { name: 'MPEG-DASH', media: 'tcp', isOverHttp: true, endsByTimeout: true },
  'http-flv': { name: 'HTTP-FLV', media: 'tcp', isOverHttp: true },
  'ws-flv': { name: 'WebSocket-FLV', media: 'tcp', isOverHttp: true },
  mjpeg: { name: 'MJPEG', media: 'tcp', isOverHttp: true, isWithoutAudio: true },
  rtsp: { name: 'RTSP', media: 'tcp', isByProcess: true },
  srt: { name: 'SRT', media: 'udp', isByProcess: true },
  turn: { name: 'TURN', media: 'udp', isWithoutAudio: true, isWithoutTokens: true },
} as const satisfies Readonly<Record<string, Protocol>>;

export type PullProtocol = keyof typeof protocols;
export type PlayProtocol = PullProtocol;

export const pullProtocols = Object.keys(protocols) as readonly PullProtocol[];
const traits: Readonly<Record<PullProtocol, Protocol>> = protocols;
const protocolsWhere = (holds: (protocol: Protocol) => boolean): readonly PullProtocol[] =>
  pullProtocols.filter((protocol) => holds(traits[protocol]));

export const protocolsExcept = (...others: readonly PullProtocol[]): readonly PullProtocol[] =>
  pullProtocols.filter((protocol) => !others.includes(protocol));
export const webRtcProtocols = protocolsWhere(({ media }) => media === 'webrtc');
export const httpProtocols = protocolsWhere(({ isOverHttp }) => isOverHttp === true);
export const audioProtocols = protocolsWhere(({ isWithoutAudio }) => !isWithoutAudio);
export const tokenProtocols = protocolsWhere(({ isWithoutTokens }) => !isWithoutTokens);

/** Protocols of a WCS as tester. */
export const wcsTesterProtocols = ['wcs', 'rtmp'] as const satisfies ReadonlyArray<(typeof pullProtocols)[number]>;

/** Whether media is sent over TCP. */
export const isOverTcp = (protocol: PullProtocol): boolean => traits[protocol].media === 'tcp';

/** Whether each viewer or publisher is an ffmpeg process of its tester, of which a tester runs only tens. */
export const isByProcess = (protocol: string): boolean =>
  pullProtocols.some((each) => each === protocol && traits[each].isByProcess);

/** Whether a viewer measures loss and jitter. */
export const measuresLoss = (protocol: PullProtocol): boolean => !isOverTcp(protocol) && !isByProcess(protocol);

/** Whether a viewer is a series of requests, so that it closes nothing: the server counts it until its own timeout. */
export const endsByTimeout = (protocol: PullProtocol): boolean => traits[protocol].endsByTimeout === true;

/** Processes of ffmpeg on one tester. */
export const maxProcesses = 50;

/** Display names of the protocols for playing and publishing. */
export const protocolNames = {
  whip: 'WHIP',
  ...Object.fromEntries(pullProtocols.map((protocol) => [protocol, protocols[protocol].name])),
} as Readonly<Record<PullProtocol | 'whip', string>>;
