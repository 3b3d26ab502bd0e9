/** How long an offer waits for its candidates. On loopback and in a LAN they are there within some ms. */
const gatheringLimitMs = 1000;

/** A peer connection with host candidates only: no request ever leaves for a STUN server. */
export function createPeer(): RTCPeerConnection {
  return new RTCPeerConnection({ iceServers: [], bundlePolicy: 'max-bundle' });
}

/**
 * Makes the offer with its candidates inside, since WHEP and WHIP servers need not support trickling.
 * Rejects with a sentence when the system gave no candidate at all.
 */
export async function gatheredOffer(peer: RTCPeerConnection): Promise<string> {
  await peer.setLocalDescription(await peer.createOffer());
  if (peer.iceGatheringState !== 'complete') {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        peer.removeEventListener('icegatheringstatechange', look);
        resolve();
      };
      const look = (): void => {
        if (peer.iceGatheringState === 'complete') done();
      };
      const timer = setTimeout(done, gatheringLimitMs);
      peer.addEventListener('icegatheringstatechange', look);
    });
  }
  const sdp = peer.localDescription?.sdp ?? '';
  if (!sdp.includes('a=candidate:'))
    throw new Error(
      'This computer offered no network address for media; check that a network or loopback is up.',
    );
  return sdp;
}

/** The sentence of an error, for people. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
