/** Whose clock is in a picture or a sound, as a number that distinguishes test patterns. */
export const sourceBits = 6;
export const maxSources = 2 ** sourceBits;
