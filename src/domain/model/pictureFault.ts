/** What is wrong with a whole picture, whatever it should show. */
export const pictureFaults = ['black', 'green', 'uniform'] as const;
export type PictureFault = (typeof pictureFaults)[number];

/** As in `The picture is black`. */
export const pictureFaultNames: Readonly<Record<PictureFault, string>> = {
  black: 'black',
  green: 'green in large areas',
  uniform: 'of a single colour',
};
