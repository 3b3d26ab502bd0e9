import type { CapturableElement } from '../protocols/elementWatch';
import { atMost, type Picture } from './mediaRules';

/** Media that a source provides. `remark` is a sentence if it is less than requested, e.g. a camera without a microphone. */
export interface OpenedSource {
  readonly stream: MediaStream;
  readonly remark?: string | undefined;
  stop(): void;
}

/**
 * A video file in a loop, played by an element outside the page. The file is the system's: from its dialog, or dropped.
 * Rejects with a sentence when it can't be played.
 */
export async function openFile(file: File, picture: Picture, hasSound: boolean): Promise<OpenedSource> {
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
