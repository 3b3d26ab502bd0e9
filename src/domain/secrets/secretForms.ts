const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Shorter texts are not distinctive. */
const minBase64 = 6;

/**
 * How a secret may appear in a foreign text: as it is, in an address, in JSON or HTML, or within something in
 * base64.
 */
export function secretForms(secret: string): string[] {
  const plain = new Set([secret, decoded(secret)]);
  const forms = new Set<string>();
  for (const each of plain) {
    const inAddress = encodeURIComponent(wellFormed(each));
    for (const form of [
      each,
      inAddress,
      encodeURIComponent(inAddress),
      inAddress.replaceAll('%20', '+'),
      encodeURI(wellFormed(each)),
      everyByte(each),
      JSON.stringify(each).slice(1, -1),
      JSON.stringify(each).slice(1, -1).replaceAll('/', '\\/'),
      inHtml(each),
      ...withinBase64(each),
      ...withinBase64(inAddress),
    ])
      forms.add(form);
  }
  return [...forms];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a literal per cent sign
  }
}

/** A lone surrogate can't be encoded in an address. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}

function everyByte(text: string): string {
  return Array.from(utf8(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function inHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/**
 * The base64 characters that depend only on the secret, for each of the three positions at which it may start:
 * `user:secret` differs from `secret`.
 */
function withinBase64(text: string): string[] {
  const bytes = utf8(text);
  return [0, 1, 2].flatMap((before) => {
    const all = base64(new Uint8Array([...new Uint8Array(before), ...bytes]));
    const from = Math.ceil((before * 8) / 6);
    const core = all.slice(from, Math.floor(((before + bytes.length) * 8) / 6));
    if (core.length < minBase64) return [];
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Without TextEncoder, which is not part of the language. */
function utf8(text: string): Uint8Array {
  const signs = encodeURIComponent(wellFormed(text)).match(/%..|./g) ?? [];
  return Uint8Array.from(signs, (sign) =>
    sign.length === 3 ? Number.parseInt(sign.slice(1), 16) : sign.charCodeAt(0),
  );
}

/** Without padding. Also runs in the window, which has no Buffer. */
function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (let place = 0; place < 4; place += 1) text += letters.charAt((three >> (18 - 6 * place)) & 63);
  }
  return text.slice(0, Math.ceil((bytes.length * 8) / 6));
}
