import { z } from 'zod';
import { alwaysSent, count, unlessZero } from './agentFields';

/**
 * What the lab receives from one viewer, be it a browser or an agent's, for comparison. What differs from session to
 * session (names, keys, times of day) is left out.
 */

/** What a recording origin accepts of an offer, and what it does to its viewer. */
export const recordConditions = z.strictObject({
  transportCc: z.boolean().optional().describe('Transport-wide feedback is negotiated.'),
  rtx: z.boolean().optional().describe('Lost video is sent again as RTX; else as the original packet.'),
  fullIce: z.boolean().optional().describe('The origin sends checks too, instead of being ICE-lite.'),
  withholdEvery: unlessZero(count).describe(
    'One of so many packets of video is withheld until it is requested, every fourth of these for good.',
  ),
  joinMidway: z.boolean().optional().describe('The stream starts with a picture that is no keyframe.'),
});
export type RecordConditions = z.infer<typeof recordConditions>;

const texts = alwaysSent(z.array(z.string()).nullable());

const recordedCodec = z
  .object({
    name: z.string(),
    parameters: unlessZero(z.string()),
    feedback: z.array(z.string()).optional(),
    repairs: unlessZero(z.string()).describe('The codec that an rtx payload type retransmits.'),
  })
  .meta({ id: 'RecordedCodec', description: 'A payload type of an offer, without its number.' });
export type RecordedCodec = z.infer<typeof recordedCodec>;

const recordedSection = z
  .object({
    kind: z.string(),
    protocol: z.string(),
    direction: z.string(),
    setup: z.string(),
    codecs: z.array(recordedCodec),
    extensions: texts,
    attributes: texts.describe('The names of all others, each once.'),
    ufragLength: count,
    passwordLength: count,
  })
  .meta({ id: 'RecordedSection', description: 'A media section of an offer.' });
export type RecordedSection = z.infer<typeof recordedSection>;

const recordedOffer = z
  .object({
    attributes: texts.describe("The session's, without values that are random."),
    sections: z.array(recordedSection),
  })
  .meta({ id: 'RecordedOffer', description: 'An offer without its random parts.' });

const clientHello = z
  .object({
    recordVersion: z.string(),
    version: z.string(),
    cipherSuites: texts,
    extensions: texts,
    groups: texts,
    srtpProfiles: texts,
    versions: texts,
    signatures: texts,
    fragments: count.describe('The number of its records.'),
  })
  .meta({
    id: 'RecordedHello',
    description: 'A DTLS ClientHello (RFC 6347 4.2.1), with the numbers of the registries in hexadecimal.',
  });

const seenMessages = z
  .array(
    z
      .object({
        kind: z.string(),
        count,
        firstMs: z.number().describe('Since the keys were derived; of STUN since the first message.'),
        medianIntervalMs: unlessZero(z.number()),
      })
      .meta({ id: 'SeenMessage', description: 'One kind of message and its count.' }),
  )
  .nullable();
export type SeenMessages = z.infer<typeof seenMessages>;

const recordedFeedback = z
  .object({
    count,
    medianIntervalMs: z.number(),
    medianPackets: count.describe('Packets in one feedback.'),
    medianBytes: count,
    mediaSsrcIsVideo: z.boolean(),
  })
  .meta({ id: 'RecordedFeedback', description: 'Transport-wide feedback.' });

const recordedRepair = z
  .object({
    withheld: count,
    repaired: count,
    askedOnce: count.describe('Packets sent on request that were requested exactly once.'),
    medianFirstMs: unlessZero(z.number()).describe('From the packet after a withheld one to its first request.'),
    withheldForGood: count,
    triesMost: count.describe('How often one that was withheld for good was requested.'),
    medianRetryMs: unlessZero(z.number()).describe('Between two requests of one.'),
  })
  .meta({ id: 'RecordedRepair', description: 'Packets that were withheld, and the requests for them.' });

export const recordedViewer = z
  .object({
    offer: recordedOffer,
    sdp: unlessZero(z.string()).describe('The offer, its random parts replaced by names.'),
    clientHello: clientHello.optional().describe('Absent if the viewer was the DTLS server.'),
    checkAfterMs: unlessZero(z.number()).describe('From the answer to the first check.'),
    helloAfterMs: unlessZero(z.number()).describe('From the first check to the first record of DTLS.'),
    keysAfterMs: unlessZero(z.number()).describe('From the first record of DTLS to the keys.'),
    stun: seenMessages.describe('Kinds by their attributes, in the order of first arrival.'),
    rtcp: seenMessages.describe('Kinds of compound packets, such as RR(video,audio)+SDES.'),
    transportFeedback: recordedFeedback.optional(),
    repair: recordedRepair.optional().describe('Absent if nothing was withheld.'),
    upstreamPackets: unlessZero(count).describe('Datagrams since the keys were derived.'),
    upstreamBytes: unlessZero(count).describe('UDP payload since then.'),
    canonicalNameLength: count.describe('The length of the name in SDES; 0 without one.'),
    senderSsrc: count.meta({ goType: 'uint32' }),
    end: z.array(z.string()).nullable().describe('What was received when the viewer disconnected, in order.'),
    seconds: z.number().describe('For how long media was sent to it.'),
  })
  .meta({ id: 'RecordedViewer', description: 'What a server receives from one viewer.' });
export type RecordedViewer = z.infer<typeof recordedViewer>;
