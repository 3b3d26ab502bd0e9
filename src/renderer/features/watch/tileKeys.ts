/** The tile that an arrow key, Home or End moves to; undefined for other keys. Below and above are by position. */
export function tileByKey<T extends Pick<HTMLElement, 'getBoundingClientRect'>>(
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  from: T,
  tiles: readonly T[],
): T | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const at = tiles.indexOf(from);
  if (key === 'ArrowRight') return tiles[Math.min(tiles.length - 1, at + 1)];
  if (key === 'ArrowLeft') return tiles[Math.max(0, at - 1)];
  if (key === 'Home') return tiles[0];
  if (key === 'End') return tiles.at(-1);
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined;
  const direction = key === 'ArrowDown' ? 1 : -1;
  const here = from.getBoundingClientRect();
  const beyond = tiles
    .map((tile) => ({ tile, box: tile.getBoundingClientRect() }))
    .map(({ tile, box }) => ({ tile, rows: direction * (box.top - here.top), columns: Math.abs(box.left - here.left) }))
    .filter(({ rows }) => rows > 1);
  // The nearest row, and in it the nearest column.
  return beyond.sort((a, b) => a.rows - b.rows || a.columns - b.columns)[0]?.tile ?? from;
}
