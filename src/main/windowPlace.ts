import { z } from 'zod';

/** Position of the window when it was last closed, in device-independent pixels. */
const windowPlace = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  maximised: z.boolean(),
});
export type WindowPlace = z.infer<typeof windowPlace>;
/** Absent before the first start. */
export const rememberedPlace = windowPlace.optional();

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const minSize = { width: 1024, height: 640 } as const;
const wantedSize = { width: 1440, height: 900 } as const;
/** This much of the title must be on a screen, so that the window can be dragged. */
const grip = { width: 120, height: 40 } as const;

/**
 * The position of the window: the saved one if enough of it is on a screen, else the middle of the first screen.
 * `screens` are work areas, the primary one first.
 */
export function placeOnScreens(remembered: WindowPlace | undefined, screens: readonly [Area, ...Area[]]): WindowPlace {
  if (remembered && screens.some((screen) => holdsGrip(screen, remembered))) return remembered;
  const [first] = screens;
  const width = Math.min(wantedSize.width, first.width);
  const height = Math.min(wantedSize.height, first.height);
  return {
    x: first.x + Math.round((first.width - width) / 2),
    y: first.y + Math.round((first.height - height) / 2),
    width,
    height,
    maximised: remembered?.maximised ?? false,
  };
}

function holdsGrip(screen: Area, place: WindowPlace): boolean {
  const across = Math.min(place.x + place.width, screen.x + screen.width) - Math.max(place.x, screen.x);
  return across >= grip.width && place.y >= screen.y && place.y + grip.height <= screen.y + screen.height;
}
