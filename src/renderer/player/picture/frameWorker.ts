/** A frame for a worker, which closes it. */
export interface FrameOrder {
  readonly id: number;
  readonly picture: VideoFrame;
}

/** Ends a worker after the frames that it has: those of a terminated one are never closed, which stalls their source. */
export function endAfterFrames(worker: Worker | undefined): void {
  worker?.postMessage(null);
}

/**
 * Runs in a worker: answers each frame with `{ id, ...answer }`, one after the other, since they share buffers. A failure
 * is logged with `what`, and answered by the id alone.
 */
export function answerFrames<Order extends FrameOrder>(
  what: string,
  answer: (order: Order) => Promise<Readonly<Record<string, unknown>>>,
): void {
  let last: Promise<void> = Promise.resolve();
  self.addEventListener('message', ({ data }: MessageEvent<Order | null>) => {
    if (data === null) {
      void last.finally(() => self.close());
      return;
    }
    const { id, picture } = data;
    last = last
      .then(() => answer(data))
      .then(
        (result) => self.postMessage({ ...result, id }),
        (error: unknown) => {
          console.error(`${what}: ${String(error)}`);
          self.postMessage({ id });
        },
      )
      .finally(() => picture.close());
  });
}
