/** Undefined without a result in time, or without any. */
export function inTime<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms).unref());
  return Promise.race([work.catch(() => undefined), late]);
}
