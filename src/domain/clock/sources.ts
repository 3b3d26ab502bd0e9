/** Whose clock is in a picture or a sound, as a number that distinguishes test patterns and clock pages. */
export const sourceBits = 6;
export const maxSources = 2 ** sourceBits;
/** Number of a media file, whose times are those of the file; no live pattern has it. */
export const mediaFileSource = maxSources - 1;
/** Numbers from here up to that of media files are those of clock pages, allocated by the engine; below are windows'. */
export const firstPageSource = 48;

export const isPageSource = (source: number): boolean => source >= firstPageSource && source < mediaFileSource;
