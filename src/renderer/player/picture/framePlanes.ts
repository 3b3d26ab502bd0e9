import { packedPlane, type Plane, type SteppedPlane } from './plane';

/** Samples of luma per sample of chroma, horizontally and vertically. */
const planar: Readonly<Record<string, { readonly x: number; readonly y: number }>> = {
  I420: { x: 2, y: 2 },
  I420A: { x: 2, y: 2 },
  NV12: { x: 2, y: 2 },
  I422: { x: 2, y: 1 },
  I422A: { x: 2, y: 1 },
  I444: { x: 1, y: 1 },
  I444A: { x: 1, y: 1 },
};
/** Bytes of red and blue in a pixel of four; green is the second in all. */
const packed: Readonly<Record<string, { readonly red: number; readonly blue: number }>> = {
  RGBA: { red: 0, blue: 2 },
  RGBX: { red: 0, blue: 2 },
  BGRA: { red: 2, blue: 0 },
  BGRX: { red: 2, blue: 0 },
};

/** The visible part of a frame, or a rectangle of it, as bytes. */
export interface CopiedFrame {
  readonly format: string;
  readonly bytes: Uint8Array;
  readonly layout: readonly PlaneLayout[];
  readonly width: number;
  readonly height: number;
}

interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Copies frames one after the other into the same bytes: a copy is valid until the next one. */
export class FrameCopier {
  #bytes = new Uint8Array(0);

  /**
   * The visible part, or the rectangle of it that `partOf` returns; undefined for a format whose samples can't be read.
   */
  async copy(frame: VideoFrame, partOf?: (width: number, height: number) => Rect): Promise<CopiedFrame | undefined> {
    const { format, codedWidth, codedHeight, visibleRect } = frame;
    if (!format || !(planar[format] ?? packed[format])) return undefined;
    const { x = 0, y = 0, width = codedWidth, height = codedHeight } = visibleRect ?? {};
    const part = partOf?.(width, height) ?? { x: 0, y: 0, width, height };
    const rect = { ...part, x: x + part.x, y: y + part.y };
    const size = frame.allocationSize({ rect });
    if (this.#bytes.length < size) this.#bytes = new Uint8Array(size);
    const layout = await frame.copyTo(this.#bytes, { rect });
    return { format, bytes: this.#bytes, layout, width: part.width, height: part.height };
  }
}

/** A brightness of each pixel without computing it: luma, or the green of RGB. */
export function brightnessOf({ format, bytes, layout, width, height }: CopiedFrame): SteppedPlane {
  const { offset = 0, stride = 0 } = layout[0] ?? {};
  return packed[format]
    ? { bytes, offset: offset + 1, stride, step: 4, width, height }
    : { bytes, offset, stride, step: 1, width, height };
}

/** Luma as a browser's encoder sees it. That of RGB is written to `into`, which has a byte for each pixel. */
export function lumaOf(frame: CopiedFrame, into: () => Uint8Array): Plane {
  return packed[frame.format] ? lumaOfRgb(frame, into()) : brightnessOf(frame);
}

/** Both planes of chroma; undefined for RGB, which has none. */
export function chromaOf({
  format,
  bytes,
  layout,
  width,
  height,
}: CopiedFrame): [SteppedPlane, SteppedPlane] | undefined {
  const per = planar[format];
  const [, first, second] = layout;
  if (!per || !first) return undefined;
  const size = { bytes, width: Math.ceil(width / per.x), height: Math.ceil(height / per.y) };
  if (format === 'NV12')
    return [
      { ...size, ...first, step: 2 },
      { ...size, ...first, offset: first.offset + 1, step: 2 },
    ];
  return (
    second && [
      { ...size, ...first, step: 1 },
      { ...size, ...second, step: 1 },
    ]
  );
}

/**
 * RGB to luma as libyuv does it, which browsers use before they encode a canvas: BT.601 in limited range. Decoded frames
 * of WebRTC are labelled BT.709 nevertheless.
 */
function lumaOfRgb({ format, bytes, layout, width, height }: CopiedFrame, into: Uint8Array): Plane {
  const { red = 0, blue = 0 } = packed[format] ?? {};
  const { offset = 0, stride = 0 } = layout[0] ?? {};
  for (let y = 0; y < height; y += 1) {
    let from = offset + y * stride;
    for (let to = y * width; to < (y + 1) * width; to += 1, from += 4)
      into[to] =
        (66 * (bytes[from + red] ?? 0) + 129 * (bytes[from + 1] ?? 0) + 25 * (bytes[from + blue] ?? 0) + 0x1080) >> 8;
  }
  return packedPlane(into, width, height);
}

/** As I420: luma, then both planes of chroma at half the resolution; undefined for 4:2:2 and 4:4:4. */
export function i420Of(frame: CopiedFrame): Uint8Array<ArrayBuffer> | undefined {
  const { width, height, format } = frame;
  const ofLuma = width * height;
  const chromaWidth = Math.ceil(width / 2);
  const ofChroma = chromaWidth * Math.ceil(height / 2);
  const bytes = new Uint8Array(ofLuma + 2 * ofChroma);
  const planes = [bytes.subarray(ofLuma, ofLuma + ofChroma), bytes.subarray(ofLuma + ofChroma)] as const;
  if (packed[format]) {
    lumaOfRgb(frame, bytes);
    chromaOfRgb(frame, planes, chromaWidth);
    return bytes;
  }
  const chroma = chromaOf(frame);
  const per = planar[format];
  if (!chroma || per?.x !== 2 || per.y !== 2) return undefined;
  pack(brightnessOf(frame), bytes);
  chroma.forEach((plane, index) => pack(plane, planes[index === 0 ? 0 : 1]));
  return bytes;
}

function pack({ bytes, offset, stride, step, width, height }: SteppedPlane, into: Uint8Array): void {
  for (let y = 0; y < height; y += 1) {
    const line = offset + y * stride;
    if (step === 1) into.set(bytes.subarray(line, line + width), y * width);
    else for (let x = 0; x < width; x += 1) into[y * width + x] = bytes[line + x * step] ?? 0;
  }
}

/** As libyuv on x86: of the mean of four pixels, BT.601 in limited range, rounded down. */
function chromaOfRgb(
  { format, bytes, layout, width, height }: CopiedFrame,
  [u, v]: readonly [Uint8Array, Uint8Array],
  chromaWidth: number,
): void {
  const { red = 0, blue = 0 } = packed[format] ?? {};
  const { offset = 0, stride = 0 } = layout[0] ?? {};
  for (let to = 0; to < u.length; to += 1) {
    const x = 2 * (to % chromaWidth);
    const y = 2 * Math.floor(to / chromaWidth);
    const right = x + 1 < width ? 4 : 0;
    const below = y + 1 < height ? stride : 0;
    const at = offset + y * stride + 4 * x;
    const mean = (byte: number): number =>
      ((bytes[at + byte] ?? 0) +
        (bytes[at + right + byte] ?? 0) +
        (bytes[at + below + byte] ?? 0) +
        (bytes[at + below + right + byte] ?? 0) +
        2) >>
      2;
    const [r, g, b] = [mean(red), mean(1), mean(blue)];
    u[to] = (112 * b - 74 * g - 38 * r + 0x8000) >> 8;
    v[to] = (112 * r - 94 * g - 18 * b + 0x8000) >> 8;
  }
}
