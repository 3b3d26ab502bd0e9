/**
 * R of the E-model with all its parameters at their defaults, without delay and loss (ITU-T G.107, narrowband: the
 * default table gives 93.2).
 */
const defaultR = 93.2;
/**
 * G.711 with packet loss concealment, random loss (ITU-T G.113, appendix I: Ie = 0, Bpl = 25.1). The appendix has no
 * Opus or AAC.
 */
const codec = { equipmentImpairment: 0, lossRobustness: 25.1 } as const;
/** Audio of one packet, which is complete before it is sent. */
const packetMs = 20;
/** Delay above which a conversation suffers noticeably, in the delay term of Cole and Rosenbluth (2001). */
const noticedDelayMs = 177.3;

/** Which variant of the model and which table it uses, for display. */
export const mosVariant =
  'E-model (ITU-T G.107, narrowband) with the delay term of Cole and Rosenbluth; Ie 0 and Bpl 25.1 of G.711 with loss concealment (G.113), since the table has no Opus';

/** One-way delay of audio: half the round trip, one packet and the jitter buffer, ms. */
export function audioDelayMs(rttMs: number, jitterBufferMs: number): number {
  return rttMs / 2 + packetMs + jitterBufferMs;
}

/** Mean opinion score of a conversation over this audio, 1 to 4.4, from its one-way delay and its concealed share. */
export function audioMos(delayMs: number, concealedPercent: number): number {
  const delay = 0.024 * delayMs + 0.11 * Math.max(0, delayMs - noticedDelayMs);
  const { equipmentImpairment: ie, lossRobustness } = codec;
  const loss = ie + ((95 - ie) * concealedPercent) / (concealedPercent + lossRobustness);
  const r = Math.min(100, Math.max(0, defaultR - delay - loss));
  // G.107, annex B.
  return Math.max(1, 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6);
}
