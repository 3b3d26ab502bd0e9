/** A column as decoded, exact; times are ms since the start of the run. */
export interface DecodedColumn {
  readonly t: Float64Array;
  readonly v: Float64Array;
}

/** Decodes a column as written by `store/block.ts`, without Node.js. */
export function decodeColumn(base64: string, count: number): DecodedColumn {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const floats = new DataView(bytes.buffer);
  let offset = 0;
  const unsigned = (): number => {
    let value = 0;
    for (let place = 1; ; place *= 0x80) {
      const byte = bytes[offset++] ?? 0;
      value += (byte & 0x7f) * place;
      if (byte < 0x80) return value;
    }
  };
  const signed = (): number => {
    const value = unsigned();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  };
  const t = new Float64Array(count);
  const v = new Float64Array(count);
  for (let i = 0, last = 0, step = 0; i < count; i += 1) {
    step += signed();
    last += step;
    t[i] = last;
  }
  const scale = unsigned();
  for (let i = 0, sum = 0; i < count; i += 1) {
    if (scale === 0) {
      v[i] = floats.getFloat64(offset, true);
      offset += 8;
    } else {
      sum += signed();
      v[i] = sum / scale;
    }
  }
  return { t, v };
}
