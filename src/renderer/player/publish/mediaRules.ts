import type { LocalSource } from '../../../domain/model/localSources';
import { pictureSizes, type PictureSize, type PublishMedia } from '../../../domain/model/publishMedia';
import type { VideoCodec } from '../../../domain/model/videoCodecs';

/** What a source is asked for; undefined leaves it to the source. */
export interface Picture {
  readonly size: PictureSize | undefined;
  /** Frames per second. */
  readonly fps: number | undefined;
}

const hd = pictureSizes['1280x720'];
/** Software H.264 keeps up with this, and servers accept its level; larger screens are scaled down. */
const fullHd = pictureSizes['1920x1080'];

const usualPictures = {
  pattern: { size: pictureSizes['640x360'], fps: 25 },
  camera: { size: hd, fps: 25 },
  screen: { size: fullHd, fps: 15 },
  window: { size: fullHd, fps: 15 },
  file: { size: undefined, fps: undefined },
} as const satisfies Readonly<Record<LocalSource, Picture>>;

/** The picture of a source with these settings: as chosen, else as is usual for the source. */
export function pictureOf<Source extends LocalSource>(
  source: Source,
  { size, fps }: Pick<PublishMedia, 'size' | 'fps'>,
): {
  readonly size: PictureSize | (typeof usualPictures)[Source]['size'];
  readonly fps: number | (typeof usualPictures)[Source]['fps'];
} {
  const usual = usualPictures[source];
  return { size: size === undefined ? usual.size : pictureSizes[size], fps: fps ?? usual.fps };
}

/** Constraints that scale a picture down in its own proportions, and leave out frames. */
export function atMost({ size, fps }: Picture): MediaTrackConstraints {
  return {
    ...(size && { width: { max: size.width }, height: { max: size.height } }),
    ...(fps !== undefined && { frameRate: { ideal: fps, max: fps } }),
  };
}

/** Usual bitrates from the largest height down, at up to 30 frames a second. */
const usualKbps: readonly (readonly [height: number, kbps: number])[] = [
  [1080, 3000],
  [720, 1500],
  [360, 800],
  [0, 400],
];
/** More frames need less than proportionally more. */
const fastFactor = 1.5;

/** The limit of the video bitrate, all layers together: as chosen, else as is usual for the picture; kbit/s. */
export function videoKbps({ maxKbps }: Pick<PublishMedia, 'maxKbps'>, { size, fps = 0 }: Picture): number {
  if (maxKbps !== undefined) return maxKbps;
  const { height } = size ?? hd;
  const kbps = usualKbps.find(([least]) => height >= least)?.[1] ?? 0;
  return fps > 30 ? kbps * fastFactor : kbps;
}

/** The size is kept: a test needs the chosen one from the start. If bandwidth or CPU is short, frames are left out. */
export const degradationPreference: RTCDegradationPreference = 'maintain-resolution';

/** Names of layers as LiveKit expects them, from the smallest of three to the largest. */
const layerNames: readonly string[] = ['q', 'h', 'f'];
/** Larger for a larger layer; undefined is the name of a single one. */
export const layerRank = (name: string | undefined): number => (name === undefined ? 0 : layerNames.indexOf(name));
/** Bitrate of each layer relative to that of the next larger one. */
const layerShare = 0.3;

/**
 * How the layers are sent, the smallest first as Chromium expects it: each half as wide and high as the next one. One
 * layer has no name.
 */
export function sendEncodings(layers: number, kbps: number): RTCRtpEncodingParameters[] {
  if (layers === 1) return [{ maxBitrate: kbps * 1000 }];
  const shares = Array.from({ length: layers }, (_, below) => layerShare ** (layers - 1 - below));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share, index) => ({
    // `q` is the smallest, however many there are.
    rid: layerNames[index] ?? '',
    scaleResolutionDownBy: 2 ** (layers - 1 - index),
    maxBitrate: Math.round((kbps * 1000 * share) / total),
  }));
}

interface Codec {
  readonly mimeType: string;
  readonly sdpFmtpLine?: string;
}

const isCodec = (codec: VideoCodec, { mimeType }: Codec): boolean => mimeType.toLowerCase() === `video/${codec}`;
const isForRepair = ({ mimeType }: Codec): boolean => /^video\/(rtx|red|ulpfec)$/i.test(mimeType);

/**
 * The variants of one codec, with what repairs it: a server that does not take it refuses the offer instead of choosing
 * another. Of H.264 first Constrained Baseline in packetization mode 1, which every server accepts; of VP9 eight bits.
 */
export function onlyCodec<C extends Codec>(codecs: readonly C[], codec: VideoCodec): C[] {
  const rank = ({ sdpFmtpLine = '' }: C): number => {
    if (codec === 'vp9') return sdpFmtpLine.includes('profile-id=0') ? 0 : 1;
    if (codec !== 'h264') return 0;
    if (!sdpFmtpLine.includes('packetization-mode=1')) return 2;
    return /profile-level-id=42e0/i.test(sdpFmtpLine) ? 0 : 1;
  };
  const variants = codecs.filter((each) => isCodec(codec, each)).sort((a, b) => rank(a) - rank(b));
  return [...variants, ...codecs.filter(isForRepair)];
}

/** Which codecs a list of capabilities has. */
export function codecsIn(capabilities: readonly Codec[], codecs: readonly VideoCodec[]): readonly VideoCodec[] {
  return codecs.filter((codec) => capabilities.some((capability) => isCodec(codec, capability)));
}
