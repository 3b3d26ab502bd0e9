import type { CaptureKind, LocalSource } from '../../../domain/model/localSources';
import type { PublishMedia } from '../../../domain/model/publishMedia';
import type { CapturableElement } from '../protocols/elementWatch';
import { atMost, type Picture, pictureOf } from './mediaRules';
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

/** Media that a source provides. `remark` is a sentence if it is less than requested, e.g. a camera without a microphone. */
interface OpenedSource {
  readonly stream: MediaStream;
  readonly remark?: string | undefined;
  stop(): void;
}

/**
 * A video file in a loop, played by an element outside the page. The file is the system's: from its dialog, or dropped.
 * Rejects with a sentence when it can't be played.
 */
async function openFile(file: File, picture: Picture, hasSound: boolean): Promise<OpenedSource> {
  const video: CapturableElement = document.createElement('video');
  const url = URL.createObjectURL(file);
  // Without sound it is muted; else its sound is routed into the stream instead of to the speakers.
  Object.assign(video, { loop: true, muted: !hasSound, src: url });
  const leaving: (() => void)[] = [
    () => {
      video.removeAttribute('src');
      video.load();
      URL.revokeObjectURL(url);
    },
  ];
  const stop = (): void => leaving.splice(0).forEach((leave) => leave());
  try {
    await loaded(video, file.name);
    const captured = video.captureStream?.();
    const [track] = captured?.getVideoTracks() ?? [];
    const audio = captured?.getAudioTracks() ?? [];
    if (!track) throw new Error(`"${file.name}" has no video.`);
    leaving.push(() => track.stop());
    for (const each of audio) each.stop();
    const sound = hasSound && audio.length > 0 ? soundOf(video, leaving) : [];
    const { size, fps } = picture;
    if (size || fps) await track.applyConstraints(atMost(picture));
    await video.play();
    video.addEventListener('error', () => {
      // `stop` reports no end.
      track.stop();
      track.dispatchEvent(new Event('ended'));
    });
    const remark = hasSound && audio.length === 0 ? `Published without sound: "${file.name}" has none.` : undefined;
    return { stream: new MediaStream([track, ...sound]), remark, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

function loaded(video: HTMLVideoElement, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener('loadeddata', () => resolve(), { once: true });
    const refused = `"${name}" can't be played: choose an MP4, WebM or MKV file with H.264, VP8, VP9 or AV1.`;
    video.addEventListener('error', () => reject(new Error(refused)), { once: true });
  });
}

/** The element's sound, which is no longer heard. */
function soundOf(video: HTMLVideoElement, leaving: (() => void)[]): MediaStreamTrack[] {
  const context = new AudioContext();
  const output = context.createMediaStreamDestination();
  context.createMediaElementSource(video).connect(output);
  leaving.push(() => void context.close());
  return output.stream.getAudioTracks();
}
