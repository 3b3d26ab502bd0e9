import { z } from 'zod';
import { photoLimits } from '../domain/clock/photoLimits';
import { immutable, timeMs } from '../domain/model/schema';
import * as s from './schemas';

/** The clock page for encoders that draw no test pattern, and photos of it. */

const source = z.number().int().nonnegative();
const side = z.number().int().min(1).max(photoLimits.side);

/** A clock page that is open in a browser. */
const openPage = z.object({
  /** Number of its clock in pictures. */
  source,
  /** Address of the browser's machine. */
  from: z.string(),
  /** Between which times, by the console's clock, its time was known to ± `uncertaintyMs`. */
  sinceMs: timeMs,
  untilMs: timeMs,
  uncertaintyMs: z.number().nonnegative(),
  /** False: its browser has been closed, or its connection is lost. */
  isOpen: z.boolean(),
});
export type ClockPageView = z.infer<typeof openPage>;

const pageState = z.object({
  /** Addresses of the page, each with the secret; none while it is not served. */
  urls: z.array(z.string()),
  /** Other machines reach it. */
  isLan: z.boolean(),
  pages: z.array(openPage),
});
export type ClockPageState = z.infer<typeof pageState>;

const point = z.object({ x: z.number(), y: z.number() });

export const foundCode = immutable(
  z.object({
    source,
    slot: z.union([z.literal(0), z.literal(1)]),
    timeMs: z.number().nonnegative(),
    refreshMs: z.number().nonnegative(),
    corners: z.tuple([point, point, point, point]),
  }),
);

export const clockPageCalls = {
  'clockPage.state': { input: z.strictObject({}), output: pageState },
  /** Serves the clock page, at an address of this machine: 127.0.0.1, or 0.0.0.0 for other machines too. */
  'clockPage.start': {
    input: z.strictObject({
      address: z.string().trim().min(1).max(200),
      /** 0: any free port. */
      port: z.number().int().min(0).max(65_535),
    }),
    output: pageState,
  },
  /** Ends the pages that are open, too. */
  'clockPage.stop': { input: z.strictObject({}), output: pageState },
  /** The codes of clock pages in a picture: its brightness by pixel, from left to right and top to bottom. */
  'clockPage.readPicture': {
    input: z
      .strictObject({ width: side, height: side, luma: s.bytes(photoLimits.side ** 2) })
      .refine(
        ({ width, height, luma }) => luma.length === width * height,
        'The picture does not have as many pixels as its size says.',
      ),
    output: z.object({ codes: z.array(foundCode) }),
  },
} as const;
