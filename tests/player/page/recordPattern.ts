import { usualMedia } from '../../../src/domain/model/publishMedia';
import { publishFrom } from '../../../src/renderer/player/publish/publishSources';

/** Little, so that a recording fits in a fixture. */
const maxBitrate = 60_000;
const keyframeEveryMs = 700;

/** Records the test pattern as received over WebRTC, with a keyframe every 0.7 s; base64. */
export async function recordPattern(codec: string, lengthMs: number): Promise<string> {
  const source = await publishFrom({ kind: 'pattern', streamName: 'recorded', media: usualMedia });
  const [from, to] = [new RTCPeerConnection(), new RTCPeerConnection()];
  const pairs = [
    [from, to],
    [to, from],
  ] as const;
  for (const [one, other] of pairs)
    one.addEventListener('icecandidate', ({ candidate }) => candidate && void other.addIceCandidate(candidate));
  const received = new MediaStream();
  to.addEventListener('track', ({ track }) => received.addTrack(track));
  for (const track of source.stream.getTracks()) {
    const transceiver = from.addTransceiver(track, { direction: 'sendonly' });
    if (track.kind !== 'video') continue;
    const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
    transceiver.setCodecPreferences(codecs.filter(({ mimeType }) => mimeType === `video/${codec}`));
  }
  await from.setLocalDescription(await from.createOffer());
  if (from.localDescription) await to.setRemoteDescription(from.localDescription);
  await to.setLocalDescription(await to.createAnswer());
  if (to.localDescription) await from.setRemoteDescription(to.localDescription);
  const video = from.getSenders().find(({ track }) => track?.kind === 'video');
  const encode = async (active: boolean): Promise<void> => {
    const parameters = video?.getParameters();
    for (const encoding of parameters?.encodings ?? [])
      Object.assign(encoding, { active, maxBitrate, scaleResolutionDownBy: 4 });
    if (parameters) await video?.setParameters(parameters);
  };
  await encode(true);
  // Encoding that begins anew begins with a keyframe.
  const timer = setInterval(() => void encode(false).then(() => encode(true)), keyframeEveryMs);
  const element = Object.assign(document.createElement('video'), { muted: true, srcObject: received });
  try {
    await element.play();
    const recorder = new MediaRecorder(received);
    const chunks: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => chunks.push(data));
    recorder.start(500);
    await new Promise((resolve) => setTimeout(resolve, lengthMs));
    await new Promise((resolve) => {
      recorder.addEventListener('stop', resolve);
      recorder.stop();
    });
    const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  } finally {
    clearInterval(timer);
    source.stop();
    for (const peer of [from, to]) peer.close();
  }
}
