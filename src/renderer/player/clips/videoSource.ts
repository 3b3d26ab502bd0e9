import { playsInElement, type PlayerProtocol } from '../../../domain/model/playerProtocols';
import type { CapturableElement } from '../protocols/elementWatch';

/** What a recorder can record, and how to release it. */
export interface VideoSource {
  readonly media: MediaStream;
  readonly release: () => void;
}

/** What is played: the received stream, or what the element plays from its buffer. Undefined if there is none. */
export function videoSource(
  protocol: PlayerProtocol,
  video: CapturableElement | undefined,
  received: MediaStream | undefined,
): VideoSource | undefined {
  if (!playsInElement(protocol)) return received && { media: received, release: () => undefined };
  const media = video?.captureStream?.();
  return media && { media, release: () => media.getTracks().forEach((track) => track.stop()) };
}
