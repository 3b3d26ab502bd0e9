import { isRelayed, type WindowProtocol } from '../../../domain/model/publishMedia';
import type { PublishOrder, PublishSession } from './publishSession';
import { RelaySession } from './relaySession';
import { RoomSession } from './roomSession';
import { WhipSession } from './whipSession';

/** Publishes over a protocol; on failure the source is stopped and the promise rejects with a sentence. */
export function startSession(order: PublishOrder, protocol: WindowProtocol): Promise<PublishSession> {
  if (isRelayed(protocol)) return RelaySession.start(order, protocol);
  return protocol === 'livekit' ? RoomSession.start(order) : WhipSession.start(order, protocol);
}
