import type { StreamView } from '../../domain/model/node';
import type { Audience } from '../../domain/model/plan';
import { formatCount } from '../../domain/text/numberFormat';

/**
 * Warns of a stream with B-frames: browsers show frames in the order in which RTP has them, so its picture jumps at
 * these viewers.
 */
export function bFramesSentence(
  { stream, protocol }: Pick<Audience, 'stream' | 'protocol'>,
  served: Pick<StreamView, 'bFrames'> | undefined,
): string | undefined {
  if (!served?.bFrames || (protocol !== 'whep' && protocol !== 'wcs')) return undefined;
  return `Stream ${stream} has B-frames (${formatCount(served.bFrames)} so far): its picture jumps at WebRTC viewers; turn them off in its encoder, e.g. "-bf 0" of ffmpeg.`;
}
