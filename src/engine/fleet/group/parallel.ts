/** Runs `work` for each item, at most `atOnce` at a time, until `signal` aborts. `work` does not reject. */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  signal: AbortSignal | undefined,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const next = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined && !signal?.aborted; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, next));
}
