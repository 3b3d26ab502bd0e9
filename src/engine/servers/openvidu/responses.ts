import { z } from 'zod';

const time = z.number().nullish();

const publisher = z.object({
  streamId: z.string().nullish(),
  mediaOptions: z
    .object({
      hasVideo: z.boolean().nullish(),
      typeOfVideo: z.string().nullish(),
      /** JSON in a string: `{"width":640,"height":480}`. */
      videoDimensions: z.string().nullish(),
    })
    .nullish(),
});

const connection = z.object({
  id: z.string().optional(),
  /** Its name before 2.16. */
  connectionId: z.string().optional(),
  /** `pending` stands for a token that is not used yet. */
  status: z.string().default('active'),
  /** WEBRTC or IPCAM. */
  type: z.string().nullish(),
  clientData: z.string().nullish(),
  serverData: z.string().nullish(),
  /** Null while the connection is pending. */
  publishers: z.array(publisher).nullish(),
  subscribers: z.array(z.object({})).nullish(),
});

const session = z.object({
  id: z.string().optional(),
  sessionId: z.string().optional(),
  createdAt: time,
  forcedVideoCodec: z.string().nullish(),
  /** From 2.20 on: the codec that MEDIA_SERVER_PREFERRED resolved to. */
  forcedVideoCodecResolved: z.string().nullish(),
  connections: z.object({ content: z.array(connection).default([]) }).nullish(),
});

export const sessionsResponse = z.object({ content: z.array(session).default([]) });
export const configResponse = z.object({ VERSION: z.string() });

export type OpenViduSession = z.infer<typeof session>;
export type Connection = z.infer<typeof connection>;
