/** A part of an address, decoded; as it is if it has a per cent sign that encodes nothing. */
export function percentDecoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
