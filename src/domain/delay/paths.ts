import { z } from 'zod';
import { isWebRtc, playerProtocols, type PlayerProtocol } from '../model/playerProtocols';
import { protocolNames, pullProtocols, type PullProtocol } from '../model/protocols';
import { isRelayed, publishMedia, usualMedia, windowProtocols, type WindowProtocol } from '../model/publishMedia';
import { immutable } from '../model/schema';
import { videoCodecNames, videoCodecs, type VideoCodec } from '../model/videoCodecs';

/** One path whose delay is measured. */
export const delayPath = immutable(
  z.object({
    id: z.string().min(1).max(100),
    title: z.string().min(1).max(200),
    /** How the test pattern is sent; absent: it is displayed by the decoder itself, without a server. */
    publish: z.enum(windowProtocols).optional(),
    play: z.enum(playerProtocols as readonly [PlayerProtocol, ...PlayerProtocol[]]).optional(),
    media: publishMedia,
    /** While the server has other work, e.g. viewers that pull the same stream. */
    isUnderLoad: z.boolean(),
    /** The player asks for the shortest jitter buffer. */
    hasShortBuffer: z.literal(true).optional(),
  }),
);
export type DelayPath = z.infer<typeof delayPath>;

/** What a server supports, and what the decoder encodes. */
export interface DelayContext {
  readonly publish: readonly WindowProtocol[];
  readonly play: readonly PlayerProtocol[];
  readonly encodes: readonly VideoCodec[];
}

const layersOfSimulcast = 3;
/** Layers of a smaller picture would be too small: Chromium leaves them out. */
const simulcastSize = '1280x720';

/** The display of the test pattern alone: what encoder, server and decoder add is the difference to it. */
const displayPath: DelayPath = { id: 'window', title: 'Display alone', media: usualMedia, isUnderLoad: false };

/**
 * The paths of a server, in the order of measurement: WebRTC by codec, with simulcast, with the shortest jitter buffer
 * and under load; then each other protocol over which it can be played. Paths with the same publication follow each
 * other.
 */
export function delayPaths({ publish, play, encodes }: DelayContext): readonly DelayPath[] {
  const paths: DelayPath[] = [displayPath];
  const overWebRtc = publish.find((protocol) => !isRelayed(protocol));
  const viewer = play.find(isWebRtc);
  if (overWebRtc && viewer) {
    const path = { publish: overWebRtc, play: viewer, isUnderLoad: false };
    // VP8 first: it is the default of LiveKit and of browsers.
    const order = (['vp8', 'h264', ...videoCodecs] as const).filter(
      (codec, index, all) => all.indexOf(codec) === index,
    );
    for (const codec of order.filter((each) => encodes.includes(each))) {
      const media = { ...usualMedia, codec };
      const title = `WebRTC, ${videoCodecNames[codec]}`;
      if (codec === 'vp8')
        paths.push({
          ...path,
          ...{ id: `${codec} simulcast`, title: `${title}, simulcast` },
          media: { ...media, layers: layersOfSimulcast, size: simulcastSize },
        });
      paths.push({ ...path, id: codec, title, media });
      if (codec !== 'vp8' && codec !== 'h264') continue;
      if (codec === 'vp8')
        paths.push({ ...path, id: `${codec} short`, title: `${title}, shortest buffer`, media, hasShortBuffer: true });
      if (isPulled(viewer))
        paths.push({ ...path, id: `${codec} load`, title: `${title}, under load`, media, isUnderLoad: true });
    }
  }
  const [best] = publish;
  // Servers of RTMP relay what they receive over RTMP to their other protocols, and transcode it for WebRTC.
  const sent = publish.includes('rtmp') ? 'rtmp' : best;
  if (!sent) return paths;
  for (const protocol of playerProtocols.filter((each) => play.includes(each))) {
    if (isWebRtc(protocol) && (!isRelayed(sent) || protocol !== viewer)) continue;
    const title = protocolNames[protocol];
    const path = { publish: sent, play: protocol, media: usualMedia };
    const isIngress = isWebRtc(protocol);
    const named = isIngress ? `${protocolNames.rtmp} in, ${title} out` : title;
    paths.push({ ...path, id: isIngress ? `rtmp ${protocol}` : protocol, title: named, isUnderLoad: false });
    if (isPulled(protocol) && !overWebRtc)
      paths.push({ ...path, id: `${protocol} load`, title: `${named}, under load`, isUnderLoad: true });
  }
  return paths;
}

/** Whether agents pull over the protocol, too. */
export function isPulled(protocol: PlayerProtocol): protocol is PlayerProtocol & PullProtocol {
  return (pullProtocols as readonly string[]).includes(protocol);
}

/** Whether two paths can be measured on one publication. */
export function samePublication(a: DelayPath | undefined, b: DelayPath): boolean {
  return (
    a?.publish === b.publish &&
    a?.media.codec === b.media.codec &&
    a.media.layers === b.media.layers &&
    a.media.size === b.media.size
  );
}
