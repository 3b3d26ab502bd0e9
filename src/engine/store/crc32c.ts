/** Castagnoli polynomial, bits reversed: detects every burst of up to 32 wrong bits. */
const polynomial = 0x82f63b78;

/** Table n contains the effect of a byte on the checksum n bytes before the end of a group of eight. */
const tables = Array.from({ length: 8 }, () => new Int32Array(256));

function at(table: number, byte: number): number {
  return tables[table]?.[byte] ?? 0;
}

for (let byte = 0; byte < 256; byte += 1) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
  (tables[0] as Int32Array)[byte] = crc;
}
for (let n = 1; n < 8; n += 1)
  for (let byte = 0; byte < 256; byte += 1)
    (tables[n] as Int32Array)[byte] = (at(n - 1, byte) >>> 8) ^ at(0, at(n - 1, byte) & 0xff);

const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
];

/** CRC32C of bytes, as a signed 32-bit number; `before` is that of the bytes in front of them. */
export function crc32c(bytes: Uint8Array, before = 0, length = bytes.length): number {
  let crc = ~before;
  let i = 0;
  // Eight bytes at a time are four times as fast as single bytes. Every index is within the arrays.
  for (const whole = length - 7; i < whole; i += 8) {
    crc ^=
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24);
    crc =
      (t7[crc & 0xff] as number) ^
      (t6[(crc >>> 8) & 0xff] as number) ^
      (t5[(crc >>> 16) & 0xff] as number) ^
      (t4[crc >>> 24] as number) ^
      (t3[bytes[i + 4] as number] as number) ^
      (t2[bytes[i + 5] as number] as number) ^
      (t1[bytes[i + 6] as number] as number) ^
      (t0[bytes[i + 7] as number] as number);
  }
  for (; i < length; i += 1) crc = (crc >>> 8) ^ (t0[(crc ^ (bytes[i] as number)) & 0xff] as number);
  return ~crc;
}
