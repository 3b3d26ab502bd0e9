/**
 * Calls `act` for each item, at most `limit` at a time, until `signal` aborts; rejects with the first failure.
 */
export async function eachOf<T>(
  items: readonly T[],
  limit: number,
  act: (item: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined && signal?.aborted !== true; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
