/** What was typed can't be understood; the message says what would be. */
export class UsageError extends Error {}
