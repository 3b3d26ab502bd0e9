/** Invalid arguments; the message contains what to write instead. */
export class UsageError extends Error {
  constructor(
    sentence: string,
    /** The command that was meant, if known: its help has more. */
    readonly command?: string,
  ) {
    super(sentence);
  }
}
