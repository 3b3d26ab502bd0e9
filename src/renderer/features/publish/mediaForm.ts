import { isCapture, type LocalSource } from '../../../domain/model/localSources';
import type { NodeView } from '../../../domain/model/node';
import { traitsOf } from '../../../domain/model/serverFamilies';
import { maxLayers } from '../../../domain/model/plan';
import { protocolNames } from '../../../domain/model/protocols';
import {
  frameRates,
  isRelayed,
  videoKbpsBounds,
  type PublishMedia,
  type WindowProtocol,
} from '../../../domain/model/publishMedia';
import { videoCodecNames, videoCodecs, type VideoCodec } from '../../../domain/model/videoCodecs';
import { pictureOf, videoKbps } from '../../player/publish/mediaRules';
import { counted, grouped, typedNumber } from '../../ui/format/numbers';

/** What is published where, as far as it restricts the settings. */
export interface MediaContext {
  readonly target: Pick<NodeView, 'name' | 'server'>;
  readonly protocol: WindowProtocol;
  readonly source: LocalSource;
  /** What this window can encode. */
  readonly encodes: readonly VideoCodec[];
}

const listed = (codecs: readonly VideoCodec[]): string => codecs.map((codec) => videoCodecNames[codec]).join(' and ');

/** Why a codec can't be sent; undefined when it can. */
export function codecProblem(codec: VideoCodec, { target, protocol, encodes }: MediaContext): string | undefined {
  if (isRelayed(protocol))
    return codec === 'h264' ? undefined : `Over ${protocolNames[protocol]} ffmpeg repackages H.264 only.`;
  const { publishedCodecs } = traitsOf(target.server);
  if (publishedCodecs?.includes(codec) === false) return `${target.name} takes ${listed(publishedCodecs)} only.`;
  return encodes.includes(codec) ? undefined : `This window can't encode ${videoCodecNames[codec]}.`;
}

/** Codecs of which Chromium sends several layers in separate streams. */
const layeredCodecs: readonly VideoCodec[] = ['h264', 'vp8'];
/** Chromium and LiveKit's client send no more layers of smaller pictures. */
const leastWidths: readonly (readonly [layers: number, width: number])[] = [
  [2, 480],
  [3, 960],
];

/** Why so many layers can't be sent with the other settings; undefined when they can. */
export function layersProblem(layers: number, media: PublishMedia, context: MediaContext): string | undefined {
  if (layers === 1) return undefined;
  const { target, protocol, source } = context;
  if (protocol !== 'whip' && protocol !== 'livekit')
    return `Simulcast needs WHIP or LiveKit, not ${protocolNames[protocol]}.`;
  if (traitsOf(target.server).takesOneLayer) return `${target.name} takes one layer only.`;
  if (!layeredCodecs.includes(media.codec)) return `Simulcast needs ${listed(layeredCodecs)}.`;
  const width = pictureOf(source, media).size?.width;
  const least = leastWidths.find(([each]) => each === layers)?.[1] ?? 0;
  return width === undefined || width >= least ? undefined : `${layers} layers need a width of ${least} or more.`;
}

/** Frames per second that Chromium captures of an element that plays a file. */
const mostOfFile = 30;

/** Why a source can't have this frame rate; undefined when it can. */
export function fpsProblem(fps: number, source: LocalSource): string | undefined {
  return source === 'file' && fps > mostOfFile ? `A video file is captured with up to ${mostOfFile} fps.` : undefined;
}

/** Why there is no sound; undefined when there can be. */
export function audioProblem(source: LocalSource): string | undefined {
  return isCapture(source) ? `The ${source} is captured without sound.` : undefined;
}

export const layerChoices: readonly number[] = Array.from({ length: maxLayers }, (_, index) => index + 1);

/** The settings that are closest to the chosen ones and possible. */
export function possibleMedia(media: PublishMedia, context: MediaContext): PublishMedia {
  const isPossible = (codec: VideoCodec): boolean => codecProblem(codec, context) === undefined;
  const codec = isPossible(media.codec) ? media.codec : (videoCodecs.find(isPossible) ?? 'h264');
  const withCodec = { ...media, codec };
  const layers = layerChoices.filter(
    (choice) => choice <= media.layers && layersProblem(choice, withCodec, context) === undefined,
  );
  const { source } = context;
  const rates = frameRates.filter((rate) => rate <= (media.fps ?? 0) && fpsProblem(rate, source) === undefined);
  return {
    ...withCodec,
    fps: rates.at(-1),
    layers: layers.at(-1) ?? 1,
    audio: media.audio && audioProblem(source) === undefined,
  };
}

/** `H.264 · 1280 × 720 · 25 fps · max 1,500 kbit/s · Opus`, of possible settings. */
export function mediaSummary(media: PublishMedia, { protocol, source }: MediaContext): string {
  const picture = pictureOf(source, media);
  const { size, fps } = picture;
  // Captures and files are scaled down to it, in their own proportions.
  const most = source === 'pattern' || source === 'camera' ? '' : 'max ';
  return [
    videoCodecNames[media.codec],
    ...(size || fps !== undefined
      ? [
          size ? `${most}${size.width} × ${size.height}` : 'size of the file',
          fps === undefined ? 'frame rate of the file' : `${fps} fps`,
        ]
      : ['as the file']),
    `max ${grouped(videoKbps(media, picture))} kbit/s`,
    ...(media.layers > 1 ? [counted(media.layers, 'layer')] : []),
    media.audio ? (isRelayed(protocol) ? 'AAC' : 'Opus') : 'no audio',
  ].join(' · ');
}

/** A typed bitrate limit in kbit/s; empty is the usual one. */
export function readKbps(text: string): { readonly maxKbps?: number; readonly problem?: string } {
  if (text.trim() === '') return {};
  const maxKbps = typedNumber(text);
  const { least, most } = videoKbpsBounds;
  if (maxKbps === undefined || !Number.isInteger(maxKbps) || maxKbps < least || maxKbps > most)
    return { problem: `Enter a bitrate from ${least} to ${grouped(most)} kbit/s.` };
  return { maxKbps };
}
