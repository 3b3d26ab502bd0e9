/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const [least, most] = [20, 800];

/**
 * Limits from 20 to 800: as many small as large ones, each at a random position in its own interval, so that the
 * complete range is covered. The kinds alternate. The same seed yields the same ones.
 * @param {{ runs?: number, seed?: number, over?: object }} options
 */
export function ordersOf({ runs = 20, seed = 1, over = {} } = {}) {
  const random = seeded(seed);
  return Array.from({ length: runs }, (_, place) => ({
    kind: place % 2 === 0 ? 'degrade' : 'budget',
    ceiling: Math.round(least * (most / least) ** ((place + random()) / runs)),
    cpuPerViewerMicros: Math.round(500 + 4500 * random()),
    fromViewers: 10,
    maxViewers: 1000,
    settleMs: 3000,
    measureMs: 3000,
    repeats: 2,
    precisionPercent: 5,
    ratePerSecond: 200,
    ...over,
  }));
}
