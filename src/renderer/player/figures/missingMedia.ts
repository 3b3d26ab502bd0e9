import type { PlayerProtocol } from '../../../domain/model/playerProtocols';
import { protocolsWithoutAudio } from '../../../domain/model/protocols';
import type { PlayerReading } from './playerStats';

export type MissingMedia = 'video' | 'audio';

/** What a stream lacks that has played for some seconds. Some protocols have no audio by definition. */
export function missingMedia(
  { width, audioCodec }: Pick<PlayerReading, 'width' | 'audioCodec'>,
  protocol: PlayerProtocol | undefined,
): MissingMedia | undefined {
  if (width === undefined || width === 0) return 'video';
  const isWithoutAudio = protocol !== undefined && protocolsWithoutAudio.includes(protocol);
  return audioCodec === undefined && !isWithoutAudio ? 'audio' : undefined;
}
