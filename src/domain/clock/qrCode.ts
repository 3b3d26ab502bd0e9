import { bitsOf, valueOf } from './bits';

/**
 * QR codes of one kind (ISO/IEC 18004): version 1, error correction Q, 16 letters or digits, one mask. A page draws one
 * in each frame of the display: libraries try eight masks each time, which takes a tenth of it.
 */
export const qrModules = 21;
export const qrLetters = 16;
const dataBytes = 13;
const checkBytes = 13;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';
/** Level Q and mask 0, with their own error correction and fixed mask. */
const format = formatBits(0b11 << 3);
const timingLine = 6;

/** Powers of 2 in the field of 256 elements, and their logarithms. */
const powers: number[] = [];
const logarithms: number[] = [];
for (let exponent = 0, value = 1; exponent < 255; exponent += 1) {
  powers[exponent] = value;
  logarithms[value] = exponent;
  value = value < 128 ? value * 2 : (value * 2) ^ 0x11d;
}
const product = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : (powers[((logarithms[a] ?? 0) + (logarithms[b] ?? 0)) % 255] ?? 0);

/** Coefficients of the polynomial with the roots 2^0 to 2^12, the highest one left out. */
const generator = Array.from({ length: checkBytes }, (_, index) => powers[index] ?? 0).reduce(
  (polynomial, root) => [...polynomial, 0].map((value, index) => value ^ product(polynomial[index - 1] ?? 0, root)),
  [1],
);

/** Rows of modules, true for dark. `text`: 16 of the digits, capital letters and signs of QR codes. */
export function qrCode(text: string): boolean[][] {
  const bits = [...bitsOf(0b0010, 4), ...bitsOf(qrLetters, 9)];
  for (let at = 0; at < qrLetters; at += 2)
    bits.push(...bitsOf(alphabet.indexOf(text.charAt(at)) * 45 + alphabet.indexOf(text.charAt(at + 1)), 11));
  const data = Array.from({ length: dataBytes }, (_, byte) =>
    // The last three bits are the terminator.
    valueOf(Array.from({ length: 8 }, (_each, bit) => bits[byte * 8 + bit] ?? false)),
  );
  return placed([...data, ...checkOf(data)].flatMap((byte) => bitsOf(byte, 8)));
}

function checkOf(data: readonly number[]): number[] {
  let rest: number[] = [...data, ...Array.from({ length: checkBytes }, () => 0)];
  while (rest.length > checkBytes) {
    const [first = 0] = rest;
    rest = rest.slice(1).map((value, index) => value ^ product(generator[index + 1] ?? 0, first));
  }
  return rest;
}

/** 5 bits with the 10 of BCH (15, 5). */
function formatBits(value: number): boolean[] {
  let rest = value << 10;
  for (let bit = 14; bit >= 10; bit -= 1) if (rest & (1 << bit)) rest ^= 0x537 << (bit - 10);
  return bitsOf(((value << 10) | rest) ^ 0x5412, 15);
}

/** In columns of two from the right, up and down in turn, past what is fixed. */
function placed(bits: readonly boolean[]): boolean[][] {
  const rows = Array.from({ length: qrModules }, () => new Array<boolean | undefined>(qrModules).fill(undefined));
  drawFixed(rows);
  let at = 0;
  let isUp = true;
  for (let right = qrModules - 1; right > 0; right -= right === timingLine + 2 ? 3 : 2) {
    for (let step = 0; step < qrModules; step += 1) {
      const row = isUp ? qrModules - 1 - step : step;
      for (const column of [right, right - 1]) {
        const line = rows[row];
        if (!line || line[column] !== undefined) continue;
        line[column] = (bits[at] ?? false) !== ((row + column) % 2 === 0);
        at += 1;
      }
    }
    isUp = !isUp;
  }
  return rows.map((row) => row.map((module) => module === true));
}

function drawFixed(rows: (boolean | undefined)[][]): void {
  const set = (row: number, column: number, isDark: boolean): void => {
    const line = rows[row];
    if (line && column >= 0 && column < qrModules) line[column] = isDark;
  };
  for (const [top, left] of [
    [0, 0],
    [0, qrModules - 7],
    [qrModules - 7, 0],
  ] as const)
    for (let row = -1; row <= 7; row += 1)
      for (let column = -1; column <= 7; column += 1) {
        const ring = Math.max(Math.abs(row - 3), Math.abs(column - 3));
        set(top + row, left + column, ring !== 2 && ring !== 4);
      }
  for (let at = 8; at < qrModules - 8; at += 1) {
    set(timingLine, at, at % 2 === 0);
    set(at, timingLine, at % 2 === 0);
  }
  // Twice, the highest bit first: around the upper left finder, and beside the other two.
  const around = [0, 1, 2, 3, 4, 5, 7, 8];
  format.forEach((isDark, bit) => {
    if (bit < 8) set(8, around[bit] ?? 0, isDark);
    else set(around[14 - bit] ?? 0, 8, isDark);
    if (bit < 7) set(qrModules - 1 - bit, 8, isDark);
    else set(8, qrModules - 15 + bit, isDark);
  });
  set(qrModules - 8, 8, true);
}
