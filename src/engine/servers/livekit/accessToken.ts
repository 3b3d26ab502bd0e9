import { randomBytes } from 'node:crypto';
import { signedToken } from '../../base/jwt';

/** Grants of a token; each call gets only what it needs. Names as in LiveKit. */
export interface VideoGrant {
  readonly roomList?: true;
  /** DeleteRoom needs this grant: it covers creating and deleting rooms. */
  readonly roomCreate?: true;
  /** For `room` only. */
  readonly roomAdmin?: true;
  readonly roomJoin?: true;
  readonly room?: string;
  /** Unlike the others, these three default to true for a participant. */
  readonly canPublish?: boolean;
  readonly canSubscribe?: boolean;
  readonly canPublishData?: boolean;
  /** Other participants are not notified of this one. */
  readonly hidden?: true;
}

export interface TokenRequest {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly video: VideoGrant;
  /** The participant; needed with `roomJoin` only. */
  readonly identity?: string;
  readonly nowMs: number;
  /** Validity from now on; default `tokenLifetimeMs`. */
  readonly holdsMs?: number;
}

/** A token is valid this long before and after its creation, to allow for clock skew; LiveKit adds one minute. */
export const tokenLifetimeMs = 600_000;

/** A new identity: joining with one that is present disconnects the other participant. */
export const newIdentity = (): string => `fullhouse-${randomBytes(4).toString('hex')}`;

/** A LiveKit access token: a JWT signed with HS256. */
export function accessToken(request: TokenRequest): string {
  const { apiKey, apiSecret, video, identity, nowMs, holdsMs = tokenLifetimeMs } = request;
  const claims = {
    iss: apiKey,
    ...(identity === undefined ? {} : { sub: identity }),
    nbf: Math.floor((nowMs - tokenLifetimeMs) / 1000),
    exp: Math.floor((nowMs + holdsMs) / 1000),
    video,
  };
  return signedToken(claims, apiSecret);
}
