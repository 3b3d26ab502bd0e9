/** A pseudo-random number in 0..1, determined by words and second on every machine. */
export function noise(seed: string, second: number): number {
  let hash = 2166136261 ^ second;
  for (let at = 0; at < seed.length; at += 1) hash = Math.imul(hash ^ seed.charCodeAt(at), 16777619);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 2246822519);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 3266489917);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Noise around 0, max `size`. */
export function wobble(seed: string, second: number, size: number): number {
  return (noise(seed, second) * 2 - 1) * size;
}
