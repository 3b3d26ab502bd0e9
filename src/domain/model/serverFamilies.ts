import { streamAddressKeys, urlKeys, type StreamAddressKey } from './addressKeys';
import { builtInTraits } from './builtInTraits.gen';
import type { PlayProtocol } from './protocols';
import type { VideoCodec } from './videoCodecs';

/** What is known of a family's servers where neither settings nor the server report it. */
interface ServerTraits {
  /** Settings of a node that its form shows; others only when they are set. */
  readonly settings: ReadonlyArray<
    StreamAddressKey | 'url' | 'user' | 'apiKey' | 'ws' | 'control' | 'metrics' | 'familyFile'
  >;
  /** What answers at the address of the API; default `REST`. */
  readonly api?: string;
  /** Name of the media server's process as shown by ps. */
  readonly process?: string;
  /** Written in C or C++. */
  readonly hasNoCollector?: true;
  /** Handles media in one thread of a process. */
  readonly isSingleThreaded?: true;
  /** Video codecs that it takes over WebRTC; absent: not known. */
  readonly publishedCodecs?: readonly VideoCodec[];
  /** Takes no simulcast. */
  readonly takesOneLayer?: true;
  /** Absent: the protocols are those of the configured addresses alone. */
  readonly play?: {
    /** What a server may have by itself: its version and its configuration decide. */
    readonly own: readonly PlayProtocol[];
    /** Settings with addresses that are used. */
    readonly settings: readonly StreamAddressKey[];
  };
}

/** Protocols of the lab. */
export const labProtocols = { play: ['whep'], publish: ['whip'] } as const;

/**
 * The server families with an adapter of their own. `livekit` includes OpenVidu 3; `openvidu` is OpenVidu 2; `generic` is
 * known by its addresses only; `file` is a family in a file of the user.
 */
const families = {
  lab: { settings: ['whep', 'whip'], takesOneLayer: true, play: { own: labProtocols.play, settings: [] } },
  wcs: {
    settings: ['url', 'user', 'ws', ...urlKeys],
    process: 'java',
    publishedCodecs: ['h264', 'vp8'],
    play: { own: ['wcs', 'rtmp', 'hls', 'rtsp'], settings: ['rtmp', 'hls', 'whep', 'flv'] },
  },
  srs: {
    settings: ['url', 'user', 'metrics', ...urlKeys],
    process: 'srs',
    hasNoCollector: true,
    isSingleThreaded: true,
    publishedCodecs: ['h264'],
    takesOneLayer: true,
    play: { own: ['whep', 'rtmp', 'http-flv', 'hls'], settings: ['whep', 'rtmp', 'flv', 'hls'] },
  },
  'nginx-rtmp': {
    settings: ['url', 'user', 'control', 'rtmp', 'hls', 'flv'],
    api: 'stat XML',
    process: 'nginx',
    hasNoCollector: true,
    isSingleThreaded: true,
    play: { own: ['rtmp', 'hls'], settings: ['rtmp', 'hls', 'flv'] },
  },
  livekit: { settings: ['url', 'apiKey', 'metrics'], process: 'livekit-server' },
  openvidu: { settings: ['url', 'user'] },
  generic: { settings: ['user', 'metrics', ...streamAddressKeys] },
  file: { settings: ['familyFile', 'url', 'user', ...urlKeys] },
} as const satisfies Readonly<Record<string, ServerTraits>>;

type AdapterFamily = keyof typeof families;
export type BuiltInFamily = keyof typeof builtInTraits;
export type ServerFamily = AdapterFamily | BuiltInFamily;

/** Families of `families/*.yaml`. */
export const builtInFamilyNames = Object.keys(builtInTraits) as readonly BuiltInFamily[];
export const isBuiltInFamily = (family: ServerFamily): family is BuiltInFamily => Object.hasOwn(builtInTraits, family);

export const serverFamilies = [...Object.keys(families), ...builtInFamilyNames] as readonly ServerFamily[];

/** What the file of a family says beside its rules. */
interface FileTraits {
  readonly process?: string;
  readonly runtime?: string;
  readonly isSingleThreaded?: boolean;
  readonly play: readonly PlayProtocol[];
}

function traitsOfFile({ process, runtime, isSingleThreaded, play }: FileTraits): ServerTraits {
  return {
    settings: ['url', 'user', ...urlKeys],
    ...(process === undefined ? {} : { process }),
    ...(runtime === 'native' ? { hasNoCollector: true } : {}),
    ...(isSingleThreaded ? { isSingleThreaded: true } : {}),
    play: { own: play, settings: urlKeys },
  };
}

/** What is known of a server of this family; of no family: nothing. */
export function traitsOf(family: ServerFamily | undefined): Partial<ServerTraits> {
  if (!family) return {};
  return isBuiltInFamily(family) ? traitsOfFile(builtInTraits[family]) : families[family];
}

/** Whether a text is the name of a family, not the path of a file. */
export const isFamilyName = (text: string): boolean => /^[a-z][a-z0-9-]{0,39}$/.test(text);
