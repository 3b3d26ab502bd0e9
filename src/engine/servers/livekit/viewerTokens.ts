import type { ViewerTokens } from '../adapter';
import { accessToken, newIdentity, tokenLifetimeMs, type VideoGrant } from './accessToken';
import type { RoomServiceOptions } from './roomService';

/** Tokens for viewers of a room, each for its own participant. */
export function viewerTokens(
  { apiKey, apiSecret, wall }: Pick<RoomServiceOptions, 'apiKey' | 'apiSecret' | 'wall'>,
  room: string,
): ViewerTokens {
  return (viewers, withinMs) => {
    const audience = newIdentity();
    const video: VideoGrant = {
      roomJoin: true,
      room,
      canPublish: false,
      canPublishData: false,
      // Else every participant is notified of every other one.
      hidden: true,
    };
    const secret = apiSecret();
    return Array.from({ length: viewers }, (_, index) =>
      accessToken({
        apiKey,
        apiSecret: secret,
        video,
        identity: `${audience}-${index + 1}`,
        nowMs: wall(),
        holdsMs: withinMs + tokenLifetimeMs,
      }),
    );
  };
}
