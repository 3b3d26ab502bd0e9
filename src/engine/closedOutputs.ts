/** The other end was closed: a pipe whose reader has ended, or a terminal that is gone. */
const goneCodes: ReadonlySet<string | undefined> = new Set([
  'EPIPE',
  'EIO',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
]);

/** A closed output (`| head`) ends no process. `onFailure` is called once, for any other failure of standard output. */
export function bearClosedOutputs(onFailure: (error: Error) => void = () => undefined): void {
  process.stderr.on('error', () => undefined);
  let isTold = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isTold || goneCodes.has(error.code)) return;
    isTold = true;
    onFailure(error);
  });
}
