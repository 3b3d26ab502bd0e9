import { isIP } from 'node:net';
import { FullhouseError } from '../../../contract/calls';
import type { StreamToken } from '../adapter';
import { accessToken, newIdentity } from './accessToken';
import { refusal } from './refusals';
import type { RoomServiceOptions } from './roomService';
import { publisherGrant } from './viewerTokens';

/** LiveKit's own WHIP endpoint: a stream published there with a token is a participant of the token's room. */
export interface WhipEndpoint {
  readonly url: string;
  /** Whether the server has it. */
  readonly isOpen: boolean;
  /** Checks whether the server has it; resolves with remarks about it, as sentences. Never rejects. */
  look(): Promise<readonly string[]>;
  /** Tokens for one new participant of `room` that only publishes. */
  tokensFor(room: string): StreamToken;
}

export function whipEndpoint(options: RoomServiceOptions): WhipEndpoint {
  const { who, http, base, apiKey, wall } = options;
  const url = `${base}/whip/v1`;
  let isOpen = false;

  const absent = (why: string): string =>
    `Can't publish to ${who}: ${why}. Enter the WHIP address of an ingress for this node, or update LiveKit.`;

  const look = async (): Promise<readonly string[]> => {
    isOpen = false;
    try {
      const { status } = await http.request({ url });
      // GET returns no content there; the status differs between versions.
      isOpen = status === 204 || status === 405;
      if (!isOpen) return [absent(`it has no WHIP endpoint (HTTP ${status} at ${url})`)];
      return isUnencrypted(base)
        ? [`Publishers send their token to ${who} unencrypted: ${base} is not an https address.`]
        : [];
    } catch (error) {
      return [absent(`its WHIP address does not respond (${withoutStop((error as Error).message)})`)];
    }
  };

  return {
    url,
    get isOpen() {
      return isOpen;
    },
    look,
    tokensFor: (room) => {
      const identity = newIdentity();
      return async (_use, holdsMs) => {
        const video = publisherGrant(room);
        const apiSecret = options.apiSecret();
        const token = accessToken({ apiKey, apiSecret, video, identity, holdsMs, nowMs: wall() });
        // LiveKit echoes a wrong token to the publisher, so the token is checked here, where it can be removed from the
        // message.
        const answer = await http.request({ url, headers: { Authorization: `Bearer ${token}` } });
        if (answer.status === 204 || answer.status === 405) return token;
        if (answer.status === 404)
          throw new FullhouseError('no-protocol', absent(`it has no WHIP endpoint (HTTP 404 at ${url})`));
        const grant = 'roomJoin, canPublish';
        throw refusal({ who, method: 'WHIP', grant, apiKey, nowMs: wall(), answer });
      };
    },
  };
}

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');

function isUnencrypted(base: string): boolean {
  const { protocol, hostname } = new URL(base);
  if (protocol === 'https:' || hostname === 'localhost' || hostname === '[::1]') return false;
  return !(isIP(hostname) === 4 && hostname.startsWith('127.'));
}
