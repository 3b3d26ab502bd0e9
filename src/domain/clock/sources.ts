/** Whose clock is in a picture or a sound, as a number that distinguishes test patterns. */
export const sourceBits = 6;
export const maxSources = 2 ** sourceBits;
/** Number of a media file, whose times are those of the file; no live pattern has it. */
export const mediaFileSource = maxSources - 1;
