import { z } from 'zod';

/** 64-bit integers are strings; older and other servers send numbers. */
const bigInteger = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number),
]);

const room = z.object({
  sid: z.string().default(''),
  name: z.string(),
  creation_time: bigInteger.optional(),
  creation_time_ms: bigInteger.optional(),
  /** Up to 5 s late, in both directions. */
  num_participants: bigInteger.default(0),
  num_publishers: bigInteger.default(0),
});

const track = z.object({
  type: z.string().default(''),
  mime_type: z.string().default(''),
  width: bigInteger.default(0),
  height: bigInteger.default(0),
});

const participant = z.object({
  identity: z.string().default(''),
  state: z.string().default(''),
  tracks: z.array(track).default([]),
  permission: z
    .object({
      can_subscribe: z.boolean().default(true),
      hidden: z.boolean().default(false),
      recorder: z.boolean().default(false),
    })
    .nullish(),
  /** STANDARD, INGRESS, EGRESS, SIP, AGENT ... Absent before 1.5. */
  kind: z.string().default('STANDARD'),
});

export const roomsResponse = z.object({ rooms: z.array(room).default([]) });
/** For a room that does not exist the list is empty. */
export const participantsResponse = z.object({ participants: z.array(participant).default([]) });
export const emptyResponse = z.object({});

/** What OpenVidu 3's server reports about itself, from 3.9 on; LiveKit has no such call. */
export const openviduInfo = z.object({
  service: z.string(),
  version: z.string(),
  edition: z.string().optional(),
});

export type Room = z.infer<typeof room>;
export type Participant = z.infer<typeof participant>;
