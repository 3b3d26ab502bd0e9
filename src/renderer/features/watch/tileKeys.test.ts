import { describe, expect, it } from 'vitest';
import { tileByKey } from './tileKeys';

/** Two rows of three, then a group of one below a gap. */
const places = [
  [0, 0],
  [100, 0],
  [200, 0],
  [0, 60],
  [100, 60],
  [0, 150],
] as const;
const tiles = places.map(([left, top]) => ({ getBoundingClientRect: () => ({ left, top }) as DOMRect }));
const move = (from: number, key: string): number => {
  const to = tileByKey({ key, ctrlKey: false, metaKey: false, altKey: false }, tiles[from]!, tiles);
  return to === undefined ? -1 : tiles.indexOf(to);
};

describe('keys of the tiles', () => {
  it('move along a row and into the next one', () => {
    expect([move(0, 'ArrowRight'), move(2, 'ArrowRight'), move(3, 'ArrowLeft'), move(0, 'ArrowLeft')]).toEqual([
      1, 3, 2, 0,
    ]);
    expect([move(1, 'End'), move(4, 'Home')]).toEqual([5, 0]);
  });

  it('move to the closest tile of the next row, across groups, and stay at the last', () => {
    expect([move(1, 'ArrowDown'), move(2, 'ArrowDown'), move(4, 'ArrowDown'), move(5, 'ArrowDown')]).toEqual([
      4, 4, 5, 5,
    ]);
    expect([move(5, 'ArrowUp'), move(4, 'ArrowUp')]).toEqual([3, 1]);
  });

  it('are no others', () => {
    expect(move(0, 'a')).toBe(-1);
  });
});
