/** Response of a REST method: a status and an optional body. */
export interface RestAnswer {
  readonly status: number;
  readonly body?: unknown;
}

export type RestArguments = Readonly<Record<string, unknown>>;
export type RestMethod = (given: RestArguments) => RestAnswer | Promise<RestAnswer>;

export const done: RestAnswer = { status: 200 };
export const notFound: RestAnswer = { status: 404 };
export const conflict: RestAnswer = { status: 409 };
export const faulty: RestAnswer = { status: 500 };

/** A list; an empty one is a 404. */
export function listed(entries: readonly unknown[]): RestAnswer {
  return entries.length > 0 ? { status: 200, body: entries } : notFound;
}

/** Whether an object matches the query; null matches any. */
export function fits(object: object, filter: RestArguments): boolean {
  const fields = object as Readonly<Record<string, unknown>>;
  return Object.entries(filter).every(
    ([name, value]) => value === null || value === undefined || fields[name] === value,
  );
}
