/** Of a photo that is read: more than those of phones. */
export const photoLimits = {
  pixels: 64_000_000,
  fileBytes: 40_000_000,
  /** Longer side of a picture that the window hands over, in pixels. */
  side: 4096,
} as const;
