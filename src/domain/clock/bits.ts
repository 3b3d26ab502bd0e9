/** The low `count` bits of a whole number, the highest first. */
export function bitsOf(value: number, count: number): boolean[] {
  return Array.from({ length: count }, (_, index) => Math.floor(value / 2 ** (count - 1 - index)) % 2 === 1);
}

export function valueOf(bits: readonly boolean[]): number {
  return bits.reduce((value, bit) => value * 2 + (bit ? 1 : 0), 0);
}

export const checkBits = 16;

/** CRC-16/CCITT (polynomial 0x1021, initially ones, so that zeros alone are refused). */
function crc16(bits: readonly boolean[]): number {
  let crc = 0xffff;
  for (const bit of bits) {
    const carry = ((crc & 0x8000) !== 0) !== bit;
    crc = (crc << 1) & 0xffff;
    if (carry) crc ^= 0x1021;
  }
  return crc;
}

/** The bits with their checksum. */
export function withCheck(payload: readonly boolean[]): boolean[] {
  return [...payload, ...bitsOf(crc16(payload), checkBits)];
}

/** The payload of bits that end with a checksum; undefined if it does not match. */
export function checked(bits: readonly boolean[]): readonly boolean[] | undefined {
  const payload = bits.slice(0, -checkBits);
  return valueOf(bits.slice(-checkBits)) === crc16(payload) ? payload : undefined;
}
