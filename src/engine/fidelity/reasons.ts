import type { Fidelity } from '../../domain/model/audienceValues';

/** Why viewers differ from a browser in a row on purpose. */
interface Reason {
  /** `GROUP: NAME` of the row, or its beginning. */
  readonly row: string;
  /** What differs, or its beginning; absent: anything. */
  readonly difference?: string;
  /** Absent: both. */
  readonly fidelity?: Fidelity;
  readonly why: string;
}

const of13 =
  'only DTLS 1.3 has it; the library supports DTLS 1.2, which all servers support and Chromium falls back to';
const redundancy = 'redundancy within the stream would need decryption to be counted';
const coincidence = 'which reports and requests coincide is chance';
const givesUp =
  'a viewer gives a packet up after 250 ms, or two round trips and 50 ms; Chromium repeats its requests for about a second';
const pace = 'one report a second about all streams, instead of one about each at random intervals around a second';

export const reasons: readonly Reason[] = [
  { row: 'SDP offer: video: formats', difference: 'no red', why: redundancy },
  { row: 'SDP offer: video: formats', difference: 'no ulpfec', why: redundancy },
  { row: 'SDP offer: video: formats', difference: 'also H265', why: 'browsers with a decoder for it offer H.265' },
  {
    row: 'SDP offer: video: formats',
    difference: 'also H264 640c1f',
    why: 'browsers with more codecs than this Chromium also offer high profile, and cameras send it',
  },
  {
    row: 'SDP offer: audio: formats',
    difference: 'no ',
    why: 'a viewer needs no DTMF, comfort noise and redundancy',
  },
  {
    row: 'SDP offer: video: attributes',
    difference: 'no rtcp-xr',
    why: 'new in Chromium; a server that accepts it would expect extended reports',
  },
  {
    row: 'SDP offer: audio: attributes',
    difference: 'no rtcp-xr',
    why: 'new in Chromium; a server that accepts it would expect extended reports',
  },
  ...['video', 'audio'].flatMap((kind): Reason[] => [
    {
      row: `SDP offer: ${kind}: attributes`,
      difference: 'also end-of-candidates',
      why: 'the only candidate is in the offer, so a server need not wait for more',
    },
    {
      row: `SDP offer: ${kind}: length of ufrag`,
      why: 'a longer user fragment; servers accept 4 to 256 characters (RFC 8839)',
    },
    {
      row: `SDP offer: ${kind}: header extensions`,
      difference: 'also abs-capture-time',
      fidelity: 'media-only',
      why: 'for the delay since capture; browsers offer it if a page asks for it, and servers send it if the publisher does',
    },
    {
      row: `SDP offer: ${kind}: setup`,
      fidelity: 'media-only',
      why: 'the DTLS client role costs server and tester half; servers also answer browsers with passive',
    },
    {
      row: `SDP offer: ${kind}: feedback`,
      difference: 'no goog-remb',
      fidelity: 'media-only',
      why: 'estimates of the bandwidth, which servers without transport-wide feedback request five times a second, are left to browser fidelity',
    },
  ]),
  { row: 'DTLS: versions', why: of13 },
  { row: 'DTLS: extensions', difference: 'no 00', why: of13 },
  {
    row: 'DTLS: cipher suites',
    difference: 'no ',
    why: 'suites of DTLS 1.3, without forward secrecy, or that no server prefers',
  },
  { row: 'DTLS: cipher suites', difference: 'also ', why: "the library's own, after the one that servers select" },
  { row: 'DTLS: groups', difference: 'no ', why: 'all servers accept P-256' },
  { row: 'DTLS: signatures', why: "the library's own; the certificate is P-256 with SHA-256, as Chromium's" },
  { row: 'DTLS: records of the ClientHello', why: 'it fits without the long key share of a post-quantum group' },
  { row: 'DTLS: version of its record', why: 'the library writes the version of DTLS 1.2 into the first record too' },
  {
    row: 'DTLS: SRTP profiles',
    difference: 'no AEAD_AES_256_GCM',
    why: 'it would only cost the server more; servers that support it support AES-128 too',
  },
  {
    row: 'ICE: kinds of checks',
    difference: 'no request',
    why: 'the single pair is nominated at once, which saves a round trip; Chromium does so with full ICE servers',
  },
  { row: 'ICE: checks', why: 'consent is checked every 5 s as in RFC 7675; Chromium does so every 2.7 s' },
  { row: 'ICE: ', why: 'times of single steps, with all viewers of this report connecting at the same moment' },

  {
    row: 'RTCP: compound packets',
    difference: 'no RR(video)+NACK+REMB',
    why: 'an estimate and a request at the same time are two packets',
  },
  {
    row: 'RTCP: compound packets',
    difference: 'no RR(video)+REMB',
    fidelity: 'media-only',
    why: 'estimates are not offered',
  },
  {
    row: 'RTCP: compound packets',
    difference: 'also RR()+PLI',
    why: 'a lost frame triggers a request for a keyframe at once; Chromium first waits for the next one',
  },
  { row: 'RTCP: compound packets', difference: 'no RR', fidelity: 'media-only', why: pace },
  { row: 'RTCP: compound packets', difference: 'also RR(', fidelity: 'media-only', why: pace },
  { row: 'RTCP: compound packets', difference: 'no RR', why: coincidence },
  { row: 'RTCP: compound packets', difference: 'also RR', why: coincidence },
  { row: 'RTCP: REMB', fidelity: 'media-only', why: 'estimates are not offered' },
  { row: 'RTCP: REMB', why: 'Chromium also adds an estimate to a request' },
  {
    row: 'RTCP: report about ',
    fidelity: 'media-only',
    why: `${pace}; Chromium also reports with each estimate and request`,
  },
  {
    row: 'RTCP: report about ',
    why: 'at random intervals around a second, of audio around five; and with each request, whose number is chance',
  },
  {
    row: 'RTCP: NACK',
    why: givesUp,
  },
  {
    row: 'RTCP: PLI',
    why: 'a lost frame triggers a request for a keyframe at once; Chromium first waits for the next one',
  },
  {
    row: 'RTCP: TWCC',
    fidelity: 'media-only',
    why: 'every 100 ms instead of the 60 ms or so of Chromium at this bitrate',
  },
  {
    row: 'Transport-wide feedback: ',
    fidelity: 'media-only',
    why: 'every 100 ms instead of the 60 ms or so of Chromium at this bitrate',
  },
  {
    row: 'Repair: gap to first NACK',
    why: 'a viewer waits 20 to 40 ms (10 ms in which the packet may only be late, in ticks of 20 ms); Chromium requests it at once',
  },
  {
    row: 'Repair: NACKs for a packet',
    why: givesUp,
  },
  { row: 'Repair: interval', why: 'only packets that never come are requested again, and in this time there are few' },
  { row: 'Upstream: ', fidelity: 'media-only', why: 'fewer reports, estimates and feedback packets' },
  { row: 'Upstream: ', why: 'the number of reports and requests is chance' },
  {
    row: 'Player: packets lost',
    why: 'Chromium counts before repair: retransmissions (RTX) belong to another stream',
  },
  {
    row: 'Player: frames',
    why: 'Chromium decodes nothing between a frame lost for good and the next keyframe, a viewer counts frames that are complete',
  },
  { row: 'Player: freezes', why: 'after a frame lost for good Chromium freezes until the next keyframe' },
  { row: 'Player: jitter', why: 'Chromium timestamps packets in its own thread, a viewer in the kernel' },
];

/** Why a viewer differs in a row; undefined if that is not known, so that it should be looked into. */
export function reasonFor(row: string, difference: string, fidelity: Fidelity): string | undefined {
  return reasons.find(
    (reason) =>
      row.startsWith(reason.row) &&
      difference.startsWith(reason.difference ?? '') &&
      (reason.fidelity ?? fidelity) === fidelity,
  )?.why;
}
