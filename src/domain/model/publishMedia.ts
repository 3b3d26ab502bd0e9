import { z } from 'zod';
import type { PublishProtocol } from './node';
import { maxLayers } from './plan';
import { immutable } from './schema';
import { videoCodecs } from './videoCodecs';

/** How the window publishes and encodes. */

/** Protocols over which the window publishes, in the order of preference: lowest delay and most figures first. */
export const windowProtocols = ['whip', 'wcs', 'livekit', 'rtmp', 'srt'] as const satisfies readonly PublishProtocol[];
export type WindowProtocol = (typeof windowProtocols)[number];

/** Those that no browser speaks, so that ffmpeg on this machine repackages them without transcoding the video. */
export const relayProtocols = ['rtmp', 'srt'] as const satisfies readonly WindowProtocol[];
export type RelayProtocol = (typeof relayProtocols)[number];

export const isRelayed = (protocol: WindowProtocol): protocol is RelayProtocol =>
  (relayProtocols as readonly WindowProtocol[]).includes(protocol);

/**
 * Protocols over which the window can publish to a server that accepts these, in the order of preference. A lab that has
 * not been started accepts WHIP.
 */
export function windowProtocolsOf(accepted: readonly PublishProtocol[] = ['whip']): readonly WindowProtocol[] {
  return windowProtocols.filter((protocol) => accepted.includes(protocol));
}

/** Width and height in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export const pictureSizes = {
  '1920x1080': { width: 1920, height: 1080 },
  '1280x720': { width: 1280, height: 720 },
  '640x360': { width: 640, height: 360 },
  '426x240': { width: 426, height: 240 },
} as const satisfies Readonly<Record<string, PictureSize>>;
export type PictureSizeName = keyof typeof pictureSizes;
export const pictureSizeNames = Object.keys(pictureSizes) as [PictureSizeName, ...PictureSizeName[]];

/** Frames per second. */
export const frameRates = [10, 15, 25, 30, 50, 60] as const;

/** Bounds of all layers together, kbit/s. */
export const videoKbpsBounds = { least: 50, most: 20_000 } as const;

export const publishMedia = immutable(
  z.object({
    codec: z.enum(videoCodecs),
    /** At most this size, in the proportions of the source; absent: that of the source. */
    size: z.enum(pictureSizeNames).optional(),
    /** Frames per second; absent: those of the source. */
    fps: z.union(frameRates.map((rate) => z.literal(rate))).optional(),
    /** Video, all layers together; absent: what is usual for the size. */
    maxKbps: z.number().int().min(videoKbpsBounds.least).max(videoKbpsBounds.most).optional(),
    /** Layers of simulcast, each half as wide and high as the one above; 1: no simulcast. */
    layers: z.number().int().min(1).max(maxLayers),
    audio: z.boolean(),
  }),
);
export type PublishMedia = z.infer<typeof publishMedia>;

/** H.264 is what every server takes. */
export const usualMedia: PublishMedia = { codec: 'h264', layers: 1, audio: true };
