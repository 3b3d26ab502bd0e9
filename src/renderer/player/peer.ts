import type { EngineClient } from '../../contract/calls';
import type { EngineCallName } from '../../contract/engine';

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

/** How long a connection stays open for the server to hear that it is being left. */
const leaveLimitMs = 1000;

/**
 * Leaves by the front door: the server is told first and the connection closed then, since a server that sees the
 * connection close has forgotten the session before the word arrives. A server that is slow to answer is not waited for.
 */
export async function leave(
  peer: RTCPeerConnection,
  engine: Pick<EngineClient<EngineCallName>, 'call'>,
  session: string,
): Promise<void> {
  const limit = setTimeout(() => peer.close(), leaveLimitMs);
  try {
    await engine.call('signal.end', { session });
  } catch (error) {
    // What was wanted has happened all the same: the connection closes. But somebody may wonder about the session.
    console.warn(`Ending session ${session}: ${sentenceOf(error)}`);
  } finally {
    clearTimeout(limit);
    peer.close();
  }
}
