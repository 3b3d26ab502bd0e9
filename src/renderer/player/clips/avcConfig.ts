import { bytesOfNumber, joined } from './ebml';

/**
 * H.264 as Matroska stores it (ISO/IEC 14496-15, 5.3.3 and 5.3.4). Chromium 108 records it as a byte stream with start
 * codes (ISO/IEC 14496-10, Annex B) and without `CodecPrivate`, which other players don't accept.
 */

const spsType = 7;
const ppsType = 8;

/** The NAL units of a byte stream; undefined if it doesn't begin with a start code. */
export function nalUnits(data: Uint8Array): Uint8Array[] | undefined {
  const units: Uint8Array[] = [];
  let startAt: number | undefined;
  const endUnit = (end: number): void => {
    if (startAt !== undefined && end > startAt) units.push(data.subarray(startAt, end));
  };
  for (let at = 0; at + 2 < data.length; at += 1) {
    if (data[at] !== 0 || data[at + 1] !== 0 || data[at + 2] !== 1) continue;
    if (startAt === undefined && at > 1) return undefined;
    // Zeros before a start code belong to it: a NAL unit ends with another byte.
    let end = at;
    while (startAt !== undefined && end > startAt && data[end - 1] === 0) end -= 1;
    endUnit(end);
    startAt = at + 3;
    at += 2;
  }
  endUnit(data.length);
  return startAt === undefined ? undefined : units;
}

/** A frame with lengths of 4 bytes instead of start codes. */
export const withLengths = (units: readonly Uint8Array[]): Uint8Array =>
  joined(units.flatMap((unit) => [bytesOfNumber(unit.length, 4), unit]));

/** `CodecPrivate` of a stream whose keyframe has these NAL units; undefined without parameter sets. */
export function avcConfig(units: readonly Uint8Array[]): Uint8Array | undefined {
  const ofType = (type: number): Uint8Array[] => units.filter((unit) => ((unit[0] ?? 0) & 0x1f) === type);
  const [sets, pictures] = [ofType(spsType), ofType(ppsType)];
  const first = sets[0];
  if (!first || first.length < 4 || pictures.length === 0 || sets.length > 31 || pictures.length > 255)
    return undefined;
  const listed = (all: readonly Uint8Array[]): Uint8Array[] =>
    all.flatMap((unit) => [bytesOfNumber(unit.length, 2), unit]);
  return joined([
    Uint8Array.of(1, ...first.subarray(1, 4), 0xff, 0xe0 | sets.length),
    ...listed(sets),
    Uint8Array.of(pictures.length),
    ...listed(pictures),
  ]);
}
