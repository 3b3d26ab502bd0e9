import { expect, it } from 'vitest';
import { decodePhotoCode, encodePhotoCode, type PhotoCode } from './photoCode';
import { qrLetters } from './qrCode';

const code: PhotoCode = { source: 52, slot: 1, timeMs: 1_795_260_764_943, refreshMs: 17 };

it('is read as it was written, in as many letters as the QR code has', () => {
  for (const each of [code, { ...code, slot: 0, source: 62 }, { ...code, timeMs: 4_000_000_000_000, refreshMs: 0 }]) {
    const text = encodePhotoCode(each as PhotoCode);
    expect(text).toHaveLength(qrLetters);
    expect(decodePhotoCode(text)).toEqual(each);
  }
  expect(decodePhotoCode(encodePhotoCode({ ...code, timeMs: 10.4, refreshMs: 16.67 }))).toMatchObject({
    ...{ timeMs: 10, refreshMs: 17 },
  });
  expect(decodePhotoCode(encodePhotoCode({ ...code, refreshMs: 500 }))?.refreshMs).toBe(31);
});

it('refuses other codes, and each with a changed letter', () => {
  const text = encodePhotoCode(code);
  for (const other of ['', 'FH', 'HTTPS://A.EXAMPLE', text.slice(1), `${text}0`, text.toLowerCase()])
    expect(decodePhotoCode(other)).toBeUndefined();
  for (let at = 0; at < text.length; at += 1)
    for (const letter of '0123456789ABCDEFGHJKMNPQRSTVWXYZIO-')
      if (letter !== text.charAt(at))
        expect(decodePhotoCode(text.slice(0, at) + letter + text.slice(at + 1))).toBeUndefined();
});
