import type { LocalSource } from '../../../domain/model/localSources';
import { startTestPattern } from './testPattern';

/** A source to publish. `remark` is a sentence if it is less than requested, e.g. a camera without a microphone. */
export interface PublishSource {
  readonly kind: LocalSource;
  readonly stream: MediaStream;
  readonly remark?: string;
  stop(): void;
}

const camera: MediaTrackConstraints = {
  width: { ideal: 1280 },
  height: { ideal: 720 },
  frameRate: { ideal: 25, max: 30 },
};
/** Larger screens are scaled down: software H.264 keeps up with this, and origins accept its level. */
const screen: MediaTrackConstraints = {
  width: { max: 1920 },
  height: { max: 1080 },
  frameRate: { ideal: 15, max: 30 },
};

const refusals: Readonly<Record<string, string>> = {
  NotAllowedError: 'was refused: allow it in the privacy settings of this system, then try again',
  NotFoundError: 'was not found on this computer: connect one, or publish the test pattern',
  NotReadableError: 'is used by another program: close it there, then try again',
  AbortError: 'did not start: try again, or publish the test pattern',
};

function refusal(what: string, error: unknown): Error {
  const name = error instanceof Error ? error.name : '';
  const detail = refusals[name] ?? `did not start: ${error instanceof Error ? error.message : String(error)}`;
  return new Error(`The ${what} ${detail}.`, { cause: error });
}

function sourceOf(kind: LocalSource, stream: MediaStream, remark?: string): PublishSource {
  return {
    kind,
    stream,
    remark,
    stop: () => {
      for (const track of stream.getTracks()) track.stop();
    },
  };
}

async function openCamera(): Promise<PublishSource> {
  const media = navigator.mediaDevices;
  try {
    return sourceOf('camera', await media.getUserMedia({ video: camera, audio: true }));
  } catch {
    // Often only the microphone is missing. If it is the camera, the second try fails with its own error.
    try {
      const stream = await media.getUserMedia({ video: camera });
      return sourceOf('camera', stream, 'Published without sound: no microphone could be opened.');
    } catch (error) {
      throw refusal('camera', error);
    }
  }
}

/**
 * The main process chooses the screen: `session.setDisplayMediaRequestHandler` with `desktopCapturer.getSources`, which
 * works in Electron 22 as in later ones. Without that handler Electron refuses every call. It must come from a click.
 */
async function openScreen(): Promise<PublishSource> {
  try {
    const stream = await navigator.mediaDevices.getDisplayMedia({ video: screen, audio: false });
    for (const track of stream.getVideoTracks()) track.contentHint = 'detail';
    return sourceOf('screen', stream);
  } catch (error) {
    throw refusal('screen', error);
  }
}

/**
 * Opens the source to publish as `streamName`. The caller stops it when done.
 * Rejects with a sentence if the system has no such device or refuses it.
 */
export async function publishFrom(kind: LocalSource, streamName: string): Promise<PublishSource> {
  if (kind === 'camera') return openCamera();
  if (kind === 'screen') return openScreen();
  const pattern = startTestPattern(streamName);
  return { kind, stream: pattern.stream, stop: () => pattern.stop() };
}
