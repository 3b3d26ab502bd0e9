import { isWebRtc, playerProtocols, type PlayerProtocol } from '../../../domain/model/playerProtocols';
import { protocolNames, pullProtocols, type PullProtocol } from '../../../domain/model/protocols';
import { isRelayed, usualMedia, type PublishMedia, type WindowProtocol } from '../../../domain/model/publishMedia';
import { videoCodecNames, type VideoCodec } from '../../../domain/model/videoCodecs';

/** One path whose delay is measured. */
export interface DelayRow {
  readonly id: string;
  readonly title: string;
  /** How the test pattern is sent; undefined: it is displayed by this window, without a server. */
  readonly publish?: WindowProtocol;
  readonly play?: PlayerProtocol;
  readonly media: PublishMedia;
  /** While viewers pull the same stream. */
  readonly isUnderLoad: boolean;
}

/** What a server supports, and this window encodes. */
export interface DelayContext {
  readonly publish: readonly WindowProtocol[];
  readonly play: readonly PlayerProtocol[];
  readonly encodes: readonly VideoCodec[];
}

const layersOfSimulcast = 3;
/** Layers of a smaller picture would be too small: Chromium leaves them out. */
const simulcastSize = '1280x720';

/** The display of the test pattern alone: what encoder, server and decoder add is the difference to it. */
const windowRow: DelayRow = { id: 'window', title: 'This window alone', media: usualMedia, isUnderLoad: false };

/**
 * The paths of a server, in the order of measurement: WebRTC with and without simulcast, by codec, without and with load;
 * then each other protocol over which it can be played. Paths with the same publication follow each other.
 */
export function delayRows({ publish, play, encodes }: DelayContext): readonly DelayRow[] {
  const rows: DelayRow[] = [windowRow];
  const overWebRtc = publish.find((protocol) => !isRelayed(protocol));
  const viewer = play.find(isWebRtc);
  if (overWebRtc && viewer) {
    const path = { publish: overWebRtc, play: viewer, isUnderLoad: false };
    const codecs = (['vp8', 'h264'] as const).filter((codec) => encodes.includes(codec));
    for (const codec of codecs) {
      const media = { ...usualMedia, codec };
      const title = `WebRTC, ${videoCodecNames[codec]}`;
      if (codec === 'vp8')
        rows.push({
          ...path,
          ...{ id: `${codec} simulcast`, title: `${title}, simulcast` },
          media: { ...media, layers: layersOfSimulcast, size: simulcastSize },
        });
      rows.push({ ...path, id: codec, title, media });
      if (isPulled(viewer))
        rows.push({ ...path, id: `${codec} load`, title: `${title}, under load`, media, isUnderLoad: true });
    }
  }
  const [best] = publish;
  // Servers of RTMP relay what they receive over RTMP to their other protocols.
  const sent = publish.includes('rtmp') ? 'rtmp' : best;
  if (sent)
    for (const protocol of playerProtocols.filter((protocol) => play.includes(protocol) && !isWebRtc(protocol)))
      rows.push({
        ...{ id: protocol, title: protocolNames[protocol], publish: sent, play: protocol },
        ...{ media: usualMedia, isUnderLoad: false },
      });
  return rows;
}

/** Whether agents pull over the protocol, too. */
export function isPulled(protocol: PlayerProtocol): protocol is PlayerProtocol & PullProtocol {
  return (pullProtocols as readonly string[]).includes(protocol);
}

/** Whether two rows can be measured on one publication. */
export function samePublication(a: DelayRow | undefined, b: DelayRow): boolean {
  return (
    a?.publish === b.publish &&
    a?.media.codec === b.media.codec &&
    a.media.layers === b.media.layers &&
    a.media.size === b.media.size
  );
}
