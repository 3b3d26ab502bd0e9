/** A picture of the video, ready for `runs.keepStill`. */
export interface StillPicture {
  readonly mime: 'image/png' | 'image/jpeg';
  readonly data: Uint8Array;
}

/** PNG keeps every pixel; above this many of them its size grows beyond reason and JPEG takes over. */
const mostPngPixels = 1280 * 720;
const jpegQuality = 0.92;

/** Takes the picture that the video shows at this moment; undefined when it shows none. Rejects when it cannot be encoded. */
export async function captureStill(video: HTMLVideoElement): Promise<StillPicture | undefined> {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || height === 0) return undefined;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The still could not be drawn: no canvas to draw on.');
  // Drawn before the first await, so that it is this frame and no later one.
  context.drawImage(video, 0, 0, width, height);
  const mime = width * height <= mostPngPixels ? 'image/png' : 'image/jpeg';
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, mime, jpegQuality));
  if (!blob) throw new Error(`The still of ${width} × ${height} could not be encoded as ${mime}.`);
  return { mime, data: new Uint8Array(await blob.arrayBuffer()) };
}
