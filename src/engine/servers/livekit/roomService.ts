import type { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import type { HttpLink } from '../../links/http/httpLink';
import { readParts, type OnInvalid } from '../../links/http/readResponse';
import { accessToken, type VideoGrant } from './accessToken';
import {
  emptyResponse,
  openviduInfo,
  participantsResponse,
  roomsResponse,
  type Participant,
  type Room,
} from './responses';
import { refusal } from './refusals';

export interface RoomServiceOptions {
  readonly who: string;
  readonly http: HttpLink;
  /** Without trailing slash. */
  readonly base: string;
  readonly apiKey: string;
  /** Read for each call: it may change. */
  readonly apiSecret: () => string;
  /** The system's clock: the server compares the tokens with its own. */
  readonly wall: () => number;
  readonly remark?: OnInvalid;
}

/** LiveKit's RoomService over Twirp with JSON. Rejects with one sentence. */
export interface RoomService {
  listRooms(): Promise<readonly Room[]>;
  listParticipants(room: string): Promise<readonly Participant[]>;
  /** Disconnects all participants and deletes the room. */
  deleteRoom(room: string): Promise<void>;
  /** Disconnects one participant; one that has left is fine. */
  removeParticipant(room: string, identity: string): Promise<void>;
  /** e.g. `OpenVidu 3.9.0 (ce)`; undefined for LiveKit, which does not report its version. */
  openvidu(): Promise<string | undefined>;
}

export function roomService(options: RoomServiceOptions): RoomService {
  const { who, http, base, apiKey, wall } = options;

  const authorized = (video: VideoGrant): Readonly<Record<string, string>> => ({
    Authorization: `Bearer ${accessToken({ apiKey, apiSecret: options.apiSecret(), video, nowMs: wall() })}`,
  });

  const call = async <T>(method: string, video: VideoGrant, body: object, schema: z.ZodType<T>): Promise<T> => {
    const url = `${base}/twirp/livekit.RoomService/${method}`;
    const answer = await http.request({
      method: 'POST',
      url,
      headers: { ...authorized(video), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status >= 200 && answer.status < 300)
      return readParts(who, new URL(url), answer.body, schema, options.remark);
    const grant = Object.entries(video)
      .filter(([, value]) => value === true)
      .map(([name]) => name)
      .join(', ');
    throw refusal({ who, method, grant, apiKey, nowMs: wall(), answer });
  };

  return {
    listRooms: async () => (await call('ListRooms', { roomList: true }, {}, roomsResponse)).rooms,
    listParticipants: async (room) =>
      (await call('ListParticipants', { roomAdmin: true, room }, { room }, participantsResponse)).participants,
    deleteRoom: async (room) => {
      await call('DeleteRoom', { roomCreate: true }, { room }, emptyResponse);
    },
    removeParticipant: async (room, identity) => {
      try {
        await call('RemoveParticipant', { roomAdmin: true, room }, { room, identity }, emptyResponse);
      } catch (error) {
        if (!(error instanceof FullhouseError && error.code === 'livekit-not_found')) throw error;
      }
    },
    openvidu: async () => {
      const answer = await http.request({
        url: `${base}/twirp/info`,
        headers: authorized({ roomList: true }),
      });
      if (answer.status !== 200) return undefined;
      const info = openviduInfo.safeParse(parsedOrUndefined(answer.body));
      if (!info.success || !/openvidu/i.test(info.data.service)) return undefined;
      const { version, edition } = info.data;
      return `OpenVidu ${version}${edition ? ` (${edition})` : ''}`;
    },
  };
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
