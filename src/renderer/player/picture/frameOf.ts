/**
 * The frame that a video displays now; the caller closes it. Undefined without one: before the first, and after the
 * browser has closed it, e.g. because the stream ended or was replaced, while `readyState` still reports data.
 */
export function frameOf(video: HTMLVideoElement): VideoFrame | undefined {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return undefined;
  try {
    return new VideoFrame(video);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'InvalidStateError') return undefined;
    throw error;
  }
}
