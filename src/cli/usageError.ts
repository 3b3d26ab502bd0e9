/** Invalid arguments; the message contains what to write instead. */
export class UsageError extends Error {}
