import { createHmac, randomBytes } from 'node:crypto';

/** What a token allows; a call gets the least that it needs. Names as LiveKit has them. */
export interface VideoGrant {
  readonly roomList?: true;
  /** DeleteRoom wants this one: who may make a room may end it. */
  readonly roomCreate?: true;
  /** For `room` only. */
  readonly roomAdmin?: true;
  readonly roomJoin?: true;
  readonly room?: string;
  /** Unlike the others, these three hold for who joins unless they are said to be false. */
  readonly canPublish?: boolean;
  readonly canSubscribe?: boolean;
  readonly canPublishData?: boolean;
  /** The others of the room are not told of who joins. */
  readonly hidden?: true;
}

export interface TokenRequest {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly video: VideoGrant;
  /** Who joins; needed with `roomJoin` only. */
  readonly identity?: string;
  readonly nowMs: number;
  /** How long it holds from now on; default `tokenHoldsMs`. */
  readonly holdsMs?: number;
}

/** A token holds this long before and after its making, so that clocks may differ; LiveKit adds one minute of its own. */
export const tokenHoldsMs = 600_000;

/** Of somebody new: whoever joins with an identity that is there sends the other one away. */
export const newIdentity = (): string => `fullhouse-${randomBytes(4).toString('hex')}`;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An access token of LiveKit: a JWT signed with HS256. */
export function accessToken(request: TokenRequest): string {
  const { apiKey, apiSecret, video, identity, nowMs, holdsMs = tokenHoldsMs } = request;
  const claims = {
    iss: apiKey,
    ...(identity === undefined ? {} : { sub: identity }),
    nbf: Math.floor((nowMs - tokenHoldsMs) / 1000),
    exp: Math.floor((nowMs + holdsMs) / 1000),
    video,
  };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', apiSecret).update(signed).digest('base64url')}`;
}
