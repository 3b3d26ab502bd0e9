import type { ParticipantTokens, RoomPublisher, ViewerTokens } from '../adapter';
import { accessToken, newIdentity, tokenLifetimeMs, type VideoGrant } from './accessToken';
import type { RoomService, RoomServiceOptions } from './roomService';

type Signer = Pick<RoomServiceOptions, 'apiKey' | 'apiSecret' | 'wall'>;

/** Tokens for viewers of a room, each for its own participant. */
export function viewerTokens(signer: Signer, room: string): ViewerTokens {
  const video: VideoGrant = {
    roomJoin: true,
    room,
    canPublish: false,
    canPublishData: false,
    // Else every participant is notified of every other one.
    hidden: true,
  };
  return (viewers, withinMs) => {
    const audience = newIdentity();
    return tokensOf(
      signer,
      withinMs,
      Array.from({ length: viewers }, () => video),
      audience,
    );
  };
}

/** Participants of these audiences publish and receive: they count as viewers too. */
const roomIdentity = 'fullhouse-room-';
export const isOwnParticipant = (identity: string): boolean => identity.startsWith(roomIdentity);

/** Tokens for participants of rooms. */
export function participantTokens(signer: Signer): ParticipantTokens {
  return (rooms, withinMs) => {
    const audience = newIdentity().replace(/^fullhouse-/, roomIdentity);
    const grants = rooms.map((room): VideoGrant => ({ roomJoin: true, room, canPublish: true, canPublishData: false }));
    return tokensOf(signer, withinMs, grants, audience);
  };
}

/** The grant of a participant that only publishes. */
export const publisherGrant = (room: string): VideoGrant => ({
  roomJoin: true,
  room,
  canPublish: true,
  canSubscribe: false,
  canPublishData: false,
});

/** Tokens for participants that only publish. */
export function publisherTokens(signer: Signer): ParticipantTokens {
  return (rooms, withinMs) => tokensOf(signer, withinMs, rooms.map(publisherGrant), newIdentity());
}

/** One new participant that only publishes. A client that reconnects must be the same participant, hence one token. */
export function roomPublisher(
  { apiKey, apiSecret, wall }: Signer,
  service: Pick<RoomService, 'removeParticipant'>,
  room: string,
  holdsMs: number,
): RoomPublisher {
  const identity = newIdentity();
  return {
    token: accessToken({
      ...{ apiKey, apiSecret: apiSecret(), video: publisherGrant(room) },
      ...{ identity, nowMs: wall(), holdsMs },
    }),
    end: () => service.removeParticipant(room, identity),
  };
}

function tokensOf(
  { apiKey, apiSecret, wall }: Signer,
  withinMs: number,
  grants: readonly VideoGrant[],
  audience: string,
): readonly string[] {
  const secret = apiSecret();
  return grants.map((video, index) =>
    accessToken({
      apiKey,
      apiSecret: secret,
      video,
      identity: `${audience}-${index + 1}`,
      nowMs: wall(),
      holdsMs: withinMs + tokenLifetimeMs,
    }),
  );
}
