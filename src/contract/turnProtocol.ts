import { z } from 'zod';
import { defaultTurnKbps, maxTurnKbps, maxTurnText } from '../domain/model/turn';

/** Viewers of WebRTC through a TURN server, as an agent is asked for them. */

const turnServer = z
  .strictObject({
    url: z.string().min(1).max(maxTurnText).describe('turn:HOST:PORT?transport=udp|tcp or turns:HOST:PORT.'),
    username: z.string().max(maxTurnText).optional(),
    password: z.string().max(maxTurnText).optional().describe('A secret: in no log and no sample.'),
    secret: z
      .string()
      .max(maxTurnText)
      .optional()
      .describe('Shared with the server; temporary credentials are made from it. A secret: in no log and no sample.'),
    selfSigned: z.boolean().optional().describe('The certificate of a turns: server is not verified.'),
  })
  .meta({ id: 'TURNServer', description: 'A TURN server and its credentials.' });

export const jobTurn = z
  .strictObject({
    sharePercent: z
      .number()
      .positive()
      .max(100)
      .describe('The share of the viewers of the job that is relayed; the others are direct.'),
    bitrateKbps: z
      .number()
      .positive()
      .max(maxTurnKbps)
      .optional()
      .meta({ default: defaultTurnKbps, description: 'Protocol turn only: what each viewer sends through the relay.' }),
    server: turnServer.optional().describe('Absent: the first TURN server that the origin lists.'),
  })
  .meta({ id: 'JobTURN', description: 'The viewers of a job that use a TURN server, with relayed candidates only.' });
export type JobTurn = z.infer<typeof jobTurn>;
