import { isIP } from 'node:net';
import { FullhouseError } from '../../../contract/calls';
import type { StreamToken } from '../adapter';
import { accessToken, newIdentity, type VideoGrant } from './accessToken';
import { refusal } from './refusals';
import type { RoomServiceOptions } from './roomService';

/** LiveKit's own WHIP endpoint: what is published there with a token is a participant of the token's room. */
export interface WhipDoor {
  readonly url: string;
  /** Whether the server was found to have it. */
  readonly isOpen: boolean;
  /** Asks whether the server has it; resolves with what there is to say about it, as sentences. Never rejects. */
  look(): Promise<readonly string[]>;
  /** Tokens for one new participant of `room`, who publishes and does nothing else. */
  tokensFor(room: string): StreamToken;
}

export function whipDoor(options: RoomServiceOptions): WhipDoor {
  const { who, http, base, apiKey, wall } = options;
  const url = `${base}/whip/v1`;
  let isOpen = false;

  const absent = (why: string): string =>
    `Nothing can be published to ${who} from here: ${why}. Give this node the WHIP address of an ingress, or a newer LiveKit.`;

  const look = async (): Promise<readonly string[]> => {
    isOpen = false;
    try {
      const { status } = await http.request({ url });
      // It has nothing to tell by GET; versions differ in how they say so.
      isOpen = status === 204 || status === 405;
      if (!isOpen) return [absent(`it has no WHIP of its own (HTTP ${status} at ${url})`)];
      return isUnencrypted(base)
        ? [`What publishes to ${who} sends its token unencrypted, since ${base} is no https address.`]
        : [];
    } catch (error) {
      return [absent(`its WHIP address can't be asked (${withoutStop((error as Error).message)})`)];
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
        const video: VideoGrant = {
          roomJoin: true,
          room,
          canPublish: true,
          canSubscribe: false,
          canPublishData: false,
        };
        const apiSecret = options.apiSecret();
        const token = accessToken({ apiKey, apiSecret, video, identity, holdsMs, nowMs: wall() });
        // LiveKit tells who publishes with a wrong token what that token was. Here it is asked by somebody who can leave that out.
        const answer = await http.request({ url, headers: { Authorization: `Bearer ${token}` } });
        if (answer.status === 204 || answer.status === 405) return token;
        if (answer.status === 404)
          throw new FullhouseError('no-protocol', absent(`it has no WHIP of its own (HTTP 404 at ${url})`));
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
