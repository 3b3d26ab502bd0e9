import type { PlayerProtocol } from '../../../domain/model/playerProtocols';
import type { PlayerReading } from './playerStats';

export type MissingMedia = 'video' | 'audio';

/** What a stream lacks that has played for some seconds. MJPEG has no audio by definition. */
export function missingMedia(
  { width, audioCodec }: Pick<PlayerReading, 'width' | 'audioCodec'>,
  protocol: PlayerProtocol | undefined,
): MissingMedia | undefined {
  if (width === undefined || width === 0) return 'video';
  return audioCodec === undefined && protocol !== 'mjpeg' ? 'audio' : undefined;
}
