/** A picture of the video, ready for `runs.saveStill`. */
export interface StillPicture {
  readonly mime: 'image/png' | 'image/jpeg';
  readonly data: Uint8Array;
}

/** PNG keeps every pixel; above this many the size gets too large and JPEG is used. */
const maxPngPixels = 1280 * 720;
const jpegQuality = 0.92;

/** Captures the current frame; undefined if none exists. Rejects if it can't be encoded. */
export async function captureStill(video: HTMLVideoElement): Promise<StillPicture | undefined> {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || height === 0) return undefined;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The still could not be drawn: no canvas to draw on.');
  // Drawn before the first await, to capture exactly this frame.
  context.drawImage(video, 0, 0, width, height);
  const mime = width * height <= maxPngPixels ? 'image/png' : 'image/jpeg';
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, mime, jpegQuality));
  if (!blob) throw new Error(`The still of ${width} × ${height} could not be encoded as ${mime}.`);
  return { mime, data: new Uint8Array(await blob.arrayBuffer()) };
}
