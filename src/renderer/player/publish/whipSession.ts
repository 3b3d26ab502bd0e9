import { videoCodecNames, type VideoCodec } from '../../../domain/model/videoCodecs';
import { createPeer, gatheredOffer, leave } from '../protocols/peer';
import { degradationPreference, onlyCodec, pictureOf, sendEncodings, videoKbps } from './mediaRules';
import { withStartBitrate } from './startBitrate';
import { publisherReading, type PublisherReading } from './publisherStats';
import { PublishSession, type PublishOrder } from './publishSession';

/** `disconnected` often recovers by itself; after this time it is treated as failed. */
const disconnectedLimitMs = 5000;

/** A publication over WHIP, or a server's own signalling by offer and answer. */
export class WhipSession extends PublishSession {
  #broken: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    order: PublishOrder,
    private readonly peer: RTCPeerConnection,
    opened: { readonly session: string; readonly job: string; readonly remark: string | undefined },
  ) {
    super(order, opened);
    peer.addEventListener('connectionstatechange', () => this.#watchConnection());
  }

  /** Publishes a source; on failure the source is stopped and the promise rejects with a sentence. */
  static async start(order: PublishOrder, protocol: 'whip' | 'wcs', newPeer = createPeer): Promise<WhipSession> {
    try {
      const { media, target } = order;
      const session = await WhipSession.#connect(order, protocol, newPeer, media.layers);
      if (session) return session;
      const remark = `${target.node} takes no simulcast: one layer is sent.`;
      const single = await WhipSession.#connect(order, protocol, newPeer, 1, remark);
      if (!single) throw new Error(`${target.node} takes no video of this window.`);
      return single;
    } catch (error) {
      order.source.stop();
      throw error;
    }
  }

  /** Undefined where the server took no simulcast: what Chromium sends then is the smallest layer only. */
  static async #connect(
    order: PublishOrder,
    protocol: 'whip' | 'wcs',
    newPeer: () => RTCPeerConnection,
    layers: number,
    remark?: string,
  ): Promise<WhipSession | undefined> {
    const { engine, target, source, media } = order;
    const peer = newPeer();
    let session: string | undefined;
    try {
      const kbps = videoKbps(media, pictureOf(source.kind, media));
      const encodings = sendEncodings(layers, kbps);
      const sent = source.stream
        .getTracks()
        .map((track) => addTrack(peer, track, source.stream, encodings, media.codec));
      const offerSdp = await gatheredOffer(peer);
      const answer = await engine.call('signal.whip', { ...target, protocol, source: source.kind, offerSdp });
      session = answer.session;
      await peer.setRemoteDescription({ type: 'answer', sdp: withStartBitrate(answer.answerSdp, kbps) });
      const video = sent.find(({ sender }) => sender.track?.kind === 'video');
      if (video?.currentDirection !== 'sendonly')
        throw new Error(`${target.node} does not take ${videoCodecNames[media.codec]}. Choose another codec.`);
      const parameters = video.sender.getParameters();
      if (parameters.encodings.length < encodings.length) {
        await leave(peer, engine, session);
        return undefined;
      }
      await video.sender.setParameters({ ...parameters, degradationPreference });
      return new WhipSession(order, peer, { ...answer, remark });
    } catch (error) {
      if (session === undefined) peer.close();
      else await leave(peer, engine, session);
      throw error;
    }
  }

  protected async read(): Promise<PublisherReading> {
    return publisherReading((await this.peer.getStats()).values());
  }

  protected async close(session: string): Promise<void> {
    clearTimeout(this.#broken);
    await leave(this.peer, this.order.engine, session);
  }

  #watchConnection(): void {
    clearTimeout(this.#broken);
    const state = this.peer.connectionState;
    const sentence = 'The media connection to the server was lost. Publish again.';
    if (state === 'failed' || state === 'closed') this.lost(sentence);
    if (state === 'disconnected') this.#broken = setTimeout(() => this.lost(sentence), disconnectedLimitMs);
  }
}

function addTrack(
  peer: RTCPeerConnection,
  track: MediaStreamTrack,
  stream: MediaStream,
  sendEncodings: RTCRtpEncodingParameters[],
  codec: VideoCodec,
): RTCRtpTransceiver {
  const init: RTCRtpTransceiverInit = { direction: 'sendonly', streams: [stream] };
  if (track.kind !== 'video') return peer.addTransceiver(track, init);
  const transceiver = peer.addTransceiver(track, { ...init, sendEncodings });
  transceiver.setCodecPreferences(onlyCodec(RTCRtpSender.getCapabilities('video')?.codecs ?? [], codec));
  return transceiver;
}
