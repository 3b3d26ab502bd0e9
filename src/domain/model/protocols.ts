import type { ConsentKind } from './consentKind';
import type { FieldRule } from './fieldRule';

/**
 * An address of streams that the settings of a node may have. Settings, plan fields, consent, redaction, the saved form,
 * forms, checks and detection derive from it.
 */
export interface StreamAddress {
  /** Its key in the settings of a node; protocols with the same one are told apart by the scheme. */
  readonly key: string;
  /** Shown to the user; default the name of its protocol. */
  readonly name?: string;
  /** The first one is the usual one. */
  readonly schemes: readonly string[];
  /** With `{stream}` in place of the stream's name. */
  readonly example: string;
  /** For docs, editors and forms; default a sentence with the name. */
  readonly help?: string;
  /** What it can do outside of the run itself. */
  readonly consent: readonly ConsentKind[];
  /** What an anonymized copy has of it. */
  readonly redaction: FieldRule;
  /** It is the address of a server without streams, and no URL. */
  readonly isWithoutStream?: true;
  /** Endings of the path, after the stream's name. */
  readonly endings?: readonly string[];
  /** The part of the path beside the stream's name. */
  readonly pathPart?: string;
  /** The server's response by which the address is detected: its content type, or its first characters. */
  readonly response?: { readonly contentType: string } | { readonly start: string } | { readonly contains: string };
  /** The cause of a failed viewer that got a response of another format. */
  readonly otherFormat?: string;
}

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
  /** What pulls it, for the docs; default agents. */
  readonly testers?: string;
  /** Absent: its addresses follow from that of the server. */
  readonly address?: StreamAddress;
  /** Where streams are published that it plays, if that is another address. */
  readonly publishAddress?: StreamAddress;
}

const contacted = { consent: ['network'], redaction: 'address' } as const;
const overHttp = { ...contacted, schemes: ['http', 'https'] } as const;
const flv = {
  key: 'flv',
  name: 'FLV',
  example: 'http://host/live/{stream}.flv',
  help: 'Address of a stream as FLV over HTTP, or over WebSocket (`ws://`), with `{stream}` in place of its name; overrides the family’s default',
  endings: ['flv'],
  response: { start: 'FLV' },
  otherFormat: 'not-flv',
} as const;
const byFfmpeg = 'agents by ffmpeg, see [RTSP and SRT](plans.md#rtsp-and-srt)';

/**
 * The protocols by which streams are pulled and played, in the order of preference. Agents support all; a WCS as tester
 * its own WebRTC signalling and RTMP.
 */
export const protocols = {
  whep: {
    name: 'WHEP',
    media: 'webrtc',
    isOverHttp: true,
    address: { ...overHttp, key: 'whep', example: 'http://host/whep/{stream}', pathPart: 'whep' },
    publishAddress: {
      ...overHttp,
      key: 'whip',
      name: 'WHIP',
      example: 'http://host/whip/{stream}',
      pathPart: 'whip',
    },
  },
  wcs: {
    name: 'WCS',
    media: 'webrtc',
    isWithoutTokens: true,
    testers: 'the WebRTC signalling of WCS, agents and a WCS as tester',
  },
  rtmp: {
    name: 'RTMP',
    media: 'tcp',
    testers: 'agents and a WCS as tester, `rtmps://` addresses too',
    address: { ...contacted, key: 'rtmp', schemes: ['rtmp', 'rtmps'], example: 'rtmp://host/live/{stream}' },
  },
  livekit: {
    name: 'LiveKit',
    media: 'webrtc',
    isWithoutTokens: true,
    testers: 'agents, the stream is the room, viewers receive its H.264 video, and the origin needs its API secret',
  },
  hls: {
    name: 'HLS',
    media: 'tcp',
    isOverHttp: true,
    endsByTimeout: true,
    address: {
      ...overHttp,
      key: 'hls',
      example: 'http://host/hls/{stream}.m3u8',
      endings: ['m3u8'],
      response: { start: '#EXTM3U' },
    },
  },
  dash: {
    name: 'MPEG-DASH',
    media: 'tcp',
    isOverHttp: true,
    endsByTimeout: true,
    address: {
      ...overHttp,
      key: 'dash',
      example: 'http://host/dash/{stream}.mpd',
      endings: ['mpd'],
      response: { contains: '<MPD' },
    },
  },
  'http-flv': { name: 'HTTP-FLV', media: 'tcp', isOverHttp: true, address: { ...overHttp, ...flv } },
  'ws-flv': {
    name: 'WebSocket-FLV',
    media: 'tcp',
    isOverHttp: true,
    address: { ...contacted, ...flv, schemes: ['ws', 'wss'] },
  },
  mjpeg: {
    name: 'MJPEG',
    media: 'tcp',
    isOverHttp: true,
    isWithoutAudio: true,
    address: {
      ...overHttp,
      key: 'mjpeg',
      example: 'http://host/{stream}.mjpeg',
      endings: ['mjpeg', 'mjpg'],
      response: { contentType: 'multipart/x-mixed-replace' },
      otherFormat: 'not-mjpeg',
    },
  },
  rtsp: {
    name: 'RTSP',
    media: 'tcp',
    isByProcess: true,
    testers: byFfmpeg,
    address: { ...contacted, key: 'rtsp', schemes: ['rtsp', 'rtsps'], example: 'rtsp://host:554/{stream}' },
  },
  srt: {
    name: 'SRT',
    media: 'udp',
    isByProcess: true,
    testers: byFfmpeg,
    address: { ...contacted, key: 'srt', schemes: ['srt'], example: 'srt://host:9000?streamid={stream}' },
  },
  turn: {
    name: 'TURN',
    media: 'udp',
    isWithoutAudio: true,
    isWithoutTokens: true,
    testers: 'agents, a TURN server alone, see [TURN](plans.md#turn)',
    address: {
      ...contacted,
      key: 'turn',
      schemes: ['turn', 'turns'],
      example: 'turn:host:3478?transport=udp',
      help: 'Address of a TURN server alone, for the protocol `turn`: `turn:HOST:PORT`, `turn:HOST:PORT?transport=tcp` or `turns:HOST:PORT`',
      isWithoutStream: true,
    },
  },
} as const satisfies Readonly<Record<string, Protocol>>;

export type PullProtocol = keyof typeof protocols;
export type PlayProtocol = PullProtocol;

export const pullProtocols = Object.keys(protocols) as readonly PullProtocol[];
export const protocolRows: Readonly<Record<PullProtocol, Protocol>> = protocols;
const protocolsWhere = (holds: (protocol: Protocol) => boolean): readonly PullProtocol[] =>
  pullProtocols.filter((protocol) => holds(protocolRows[protocol]));

export const protocolsExcept = (...others: readonly PullProtocol[]): readonly PullProtocol[] =>
  pullProtocols.filter((protocol) => !others.includes(protocol));
export const webRtcProtocols = protocolsWhere(({ media }) => media === 'webrtc');
export const httpProtocols = protocolsWhere(({ isOverHttp }) => isOverHttp === true);
export const audioProtocols = protocolsWhere(({ isWithoutAudio }) => !isWithoutAudio);
export const protocolsWithoutAudio = protocolsWhere(({ isWithoutAudio }) => isWithoutAudio === true);
export const processProtocols = protocolsWhere((row) => row.isByProcess === true);
export const tokenProtocols = protocolsWhere(({ isWithoutTokens }) => !isWithoutTokens);

/** Protocols of a WCS as tester. */
export const wcsTesterProtocols = ['wcs', 'rtmp'] as const satisfies ReadonlyArray<(typeof pullProtocols)[number]>;

/** Whether media is sent over TCP. */
export const isOverTcp = (protocol: PullProtocol): boolean => protocolRows[protocol].media === 'tcp';

/** Whether each viewer or publisher is an ffmpeg process of its tester, of which a tester runs only tens. */
export const isByProcess = (protocol: string): boolean => processProtocols.some((each) => each === protocol);

/** Whether a viewer measures loss and jitter. */
export const measuresLoss = (protocol: PullProtocol): boolean => !isOverTcp(protocol) && !isByProcess(protocol);

/** Whether a viewer is a series of requests, so that it closes nothing: the server counts it until its own timeout. */
export const endsByTimeout = (protocol: PullProtocol): boolean => protocolRows[protocol].endsByTimeout === true;

/** Processes of ffmpeg on one tester. */
export const maxProcesses = 50;

/** Display names of the protocols for playing and publishing. */
export const protocolNames = {
  whip: protocols.whep.publishAddress.name,
  ...Object.fromEntries(pullProtocols.map((protocol) => [protocol, protocols[protocol].name])),
} as Readonly<Record<PullProtocol | 'whip', string>>;

/** What pulls each protocol, as in "`rtsp`, `srt`: agents by ffmpeg"; neighbours with the same testers are one entry. */
export function testersOfProtocols(): string {
  const groups: Array<{ readonly names: string[]; readonly testers: string }> = [];
  for (const protocol of pullProtocols) {
    const { testers = 'agents' } = protocolRows[protocol];
    const last = groups.at(-1);
    if (last?.testers === testers) last.names.push(protocol);
    else groups.push({ names: [protocol], testers });
  }
  return groups.map(({ names, testers }) => `${names.map((name) => `\`${name}\``).join(', ')}: ${testers}`).join('; ');
}
