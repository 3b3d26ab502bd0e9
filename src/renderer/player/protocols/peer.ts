import { errorText } from '../../../domain/text/errorText';
import type { EngineClient } from '../../../contract/calls';
import type { EngineCallName } from '../../../contract/engine';

/** Max wait for candidates. On loopback and LAN they take a few ms. */
const gatheringLimitMs = 1000;

/** A peer connection with host candidates only: no request ever leaves for a STUN server. */
export function createPeer(): RTCPeerConnection {
  return new RTCPeerConnection({ iceServers: [], bundlePolicy: 'max-bundle' });
}

/**
 * Creates an offer that contains its candidates, since WHEP and WHIP servers need not support trickling. Rejects with a
 * sentence if no candidate was gathered.
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
    throw new Error('No ICE candidate was gathered. Check that a network or loopback interface is up.');
  return sdp;
}

/** Chromium before 124 has only this property, which TypeScript's library lacks, and not `jitterBufferTarget`. */
interface OlderReceiver {
  /** s */
  playoutDelayHint?: number | null;
}

/** WebRTC extensions, `jitterBufferTarget`. */
const maxJitterBufferMs = 4000;

/** Makes the jitter buffers of audio and video hold media for at least so long; 0: as long as needed. */
export function holdInJitterBuffer(receivers: readonly RTCRtpReceiver[], targetMs: number): void {
  const limitedMs = Math.min(maxJitterBufferMs, targetMs);
  for (const receiver of receivers)
    if ('jitterBufferTarget' in receiver) receiver.jitterBufferTarget = targetMs > 0 ? limitedMs : null;
    else (receiver as OlderReceiver).playoutDelayHint = targetMs > 0 ? limitedMs / 1000 : null;
}

/** Makes the jitter buffers of audio and video as short as the network allows, at the risk of stalls. */
export function shortenJitterBuffer(receivers: readonly RTCRtpReceiver[]): void {
  for (const receiver of receivers)
    if ('jitterBufferTarget' in receiver) receiver.jitterBufferTarget = 0;
    else (receiver as OlderReceiver).playoutDelayHint = 0;
}

/** How long a connection stays open for the DELETE request. */
const leaveLimitMs = 1000;

/**
 * Ends the session on the server before closing the connection: a server that sees the connection close drops the
 * session before the DELETE arrives. Does not wait long for a slow server.
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
    // The connection closes anyway; the session may remain on the server.
    console.warn(`Ending session ${session}: ${errorText(error)}`);
  } finally {
    clearTimeout(limit);
    peer.close();
  }
}
