import type { CaptureKind, LocalSource } from '../../../domain/model/localSources';
import type { PublishMedia } from '../../../domain/model/publishMedia';
import { openFile, type OpenedSource } from './fileSource';
import { atMost, pictureOf } from './mediaRules';
import { startTestPattern } from './testPattern';
import { errorText } from '../../../domain/text/errorText';

/** What to publish, and as what. */
export interface SourceChoice {
  readonly kind: LocalSource;
  /** Name of the stream, which the test pattern shows. */
  readonly streamName: string;
  readonly media: PublishMedia;
  /** Device ids; absent: the system's defaults. */
  readonly camera?: string | undefined;
  readonly microphone?: string | undefined;
  /** For `file`. */
  readonly file?: File | undefined;
}

/** A source to publish. */
export interface PublishSource extends OpenedSource {
  readonly kind: LocalSource;
}

const refusals: Readonly<Record<string, string>> = {
  NotAllowedError: 'was refused: allow it in the privacy settings of this system, then try again',
  NotFoundError: 'was not found on this computer: connect one, or publish the test pattern',
  OverconstrainedError: 'is no longer connected: connect it or choose another one',
  NotReadableError: 'is used by another program: close it there, then try again',
  AbortError: 'did not start: try again, or publish the test pattern',
};

function refusal(what: string, error: unknown): Error {
  const name = error instanceof Error ? error.name : '';
  const detail = refusals[name] ?? `did not start: ${errorText(error)}`;
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

async function openCamera({ media, camera, microphone }: SourceChoice): Promise<PublishSource> {
  const { size, fps } = pictureOf('camera', media);
  const device = (id: string | undefined): MediaTrackConstraints =>
    id === undefined ? {} : { deviceId: { exact: id } };
  const video: MediaTrackConstraints = {
    ...device(camera),
    width: { ideal: size?.width },
    height: { ideal: size?.height },
    // Unless a rate is chosen, a camera of 30 fps need not leave out frames.
    frameRate: { ideal: fps, max: media.fps ?? 30 },
  };
  const devices = navigator.mediaDevices;
  if (media.audio)
    try {
      return sourceOf('camera', await devices.getUserMedia({ video, audio: device(microphone) }));
    } catch {
      // Often only the microphone is missing. If it is the camera, the second try fails with its own error.
    }
  const remark = media.audio ? 'Published without sound: no microphone could be opened.' : undefined;
  try {
    return sourceOf('camera', await devices.getUserMedia({ video }), remark);
  } catch (error) {
    throw refusal('camera', error);
  }
}

/**
 * The main process provides what was chosen: `session.setDisplayMediaRequestHandler`, which works in Electron 22 as in
 * later ones. Without that handler Electron refuses every call. It must come from a click.
 */
async function openCapture(kind: CaptureKind, media: PublishMedia): Promise<PublishSource> {
  try {
    const video = atMost(pictureOf(kind, media));
    const stream = await navigator.mediaDevices.getDisplayMedia({ video, audio: false });
    // Chromium sends no more than 5 frames a second of such a track in VP9.
    if (media.codec !== 'vp9') for (const track of stream.getVideoTracks()) track.contentHint = 'detail';
    return sourceOf(kind, stream);
  } catch (error) {
    throw refusal(kind, error);
  }
}

/**
 * Opens the source to publish. The caller stops it when done. Rejects with a sentence if the system has no such device or
 * refuses it.
 */
export async function publishFrom(choice: SourceChoice): Promise<PublishSource> {
  const { kind, media, streamName, file } = choice;
  if (kind === 'camera') return openCamera(choice);
  if (kind === 'screen' || kind === 'window') return openCapture(kind, media);
  if (kind === 'file') {
    if (!file) throw new Error('Choose a video file.');
    return { kind, ...(await openFile(file, pictureOf(kind, media), media.audio)) };
  }
  const pattern = startTestPattern(streamName, { ...pictureOf(kind, media), hasSound: media.audio });
  return { kind, stream: pattern.stream, stop: () => pattern.stop() };
}
