/** The reader is gone: a pipe whose reader has ended, or a closed terminal. */
const goneCodes: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

/**
 * A closed output (`| head`) does not end the process. `onFailure` is called once, for any other failure of standard
 * output.
 */
export function ignoreClosedOutputs(onFailure: (error: Error) => void = () => undefined): void {
  process.stderr.on('error', () => undefined);
  let isReported = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isReported || goneCodes.has(error.code)) return;
    isReported = true;
    onFailure(error);
  });
}
