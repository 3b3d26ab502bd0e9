export interface PlayedClip {
  readonly durationS: number;
  /** Share of the samples that differ from the picture at the time before; one less than the times. */
  readonly changed: readonly number[];
}

/** Differences of luma that coding does not make. */
const minDifference = 32;

/** Opens a saved clip in a video element, as the window does, and seeks to these times. */
export async function playClip(base64: string, timesS: readonly number[]): Promise<PlayedClip> {
  const data = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([data], { type: 'video/webm' }));
  const video = document.createElement('video');
  const next = (event: string): Promise<void> =>
    new Promise((resolve, reject) => {
      video.addEventListener(event, () => resolve(), { once: true });
      video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true });
    });
  try {
    const loaded = next('loadeddata');
    Object.assign(video, { muted: true, preload: 'auto', src: url });
    await loaded;
    const { duration, videoWidth: width, videoHeight: height } = video;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    if (!context) throw new Error('No canvas to read the clip.');
    const pictures: Uint8ClampedArray[] = [];
    for (const timeS of timesS) {
      const sought = next('seeked');
      video.currentTime = timeS;
      await sought;
      context.drawImage(video, 0, 0);
      pictures.push(context.getImageData(0, 0, width, height).data);
    }
    const changed = pictures.slice(1).map((picture, index) => {
      const before = pictures[index] ?? picture;
      const count = picture.filter((value, at) => Math.abs(value - (before[at] ?? 0)) > minDifference).length;
      return count / picture.length;
    });
    return { durationS: duration, changed };
  } finally {
    URL.revokeObjectURL(url);
  }
}
