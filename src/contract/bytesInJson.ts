declare function btoa(text: string): string;
declare function atob(base64: string): string;

/** JSON in which bytes are base64, for borders that only texts can cross. */
export function encoded(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => {
    if (!(each instanceof Uint8Array)) return each;
    let text = '';
    for (let at = 0; at < each.length; at += 0x8000) text += String.fromCharCode(...each.subarray(at, at + 0x8000));
    return { base64: btoa(text) };
  });
}

export function decoded(text: string): unknown {
  return JSON.parse(text, (_key, each: unknown) => (isBytes(each) ? bytesOf(each.base64) : each));
}

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

function isBytes(value: unknown): value is { readonly base64: string } {
  return typeof value === 'object' && value !== null && 'base64' in value && typeof value.base64 === 'string';
}
