/**
 * A name in ASCII, for variables and for systems whose names are: accents are dropped, other letters become U and their
 * number in Unicode (`Zürich` is `Zurich`, `東京` is `U6771U4EAC`).
 */
export function asciiName(name: string): string {
  return [...name.normalize('NFC')]
    .map((sign) => {
      const base = sign.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
      const code = sign.codePointAt(0) ?? 0;
      return /^[\0-\x7f]*$/.test(base) ? base : `U${code.toString(16).toUpperCase().padStart(4, '0')}`;
    })
    .join('');
}
