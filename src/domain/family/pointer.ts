/** One value in a response, with the keys that each `*` on the way to it stands for. */
export interface Found {
  readonly value: unknown;
  readonly keys: readonly string[];
}

/**
 * All values at a pointer (RFC 6901); `*` stands for each element of a list or map, and a number for one of a list.
 * Without one there are none.
 */
export function findAll(root: unknown, pointer: string): readonly Found[] {
  let found: readonly Found[] = [{ value: root, keys: [] }];
  for (const step of stepsOf(pointer))
    found = found.flatMap(({ value, keys }) =>
      step === '*'
        ? elementsOf(value).map(([key, element]) => ({ value: element, keys: [...keys, key] }))
        : childOf(value, step).map((child) => ({ value: child, keys })),
    );
  return found;
}

/** The first value at a pointer; undefined without one. */
export const findFirst = (root: unknown, pointer: string): unknown => findAll(root, pointer)[0]?.value;

/** The same tree, in which each member of these names is a list: servers write one element without a list. */
export function withLists(root: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(root)) return root.map((element) => withLists(element, names));
  if (!isMap(root)) return root;
  return Object.fromEntries(
    Object.entries(root).map(([key, value]) => {
      const inner = withLists(value, names);
      return [key, names.has(key) && !Array.isArray(inner) ? [inner] : inner];
    }),
  );
}

const stepsOf = (pointer: string): readonly string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function elementsOf(value: unknown): ReadonlyArray<readonly [string, unknown]> {
  if (Array.isArray(value)) return value.map((element, index) => [String(index), element as unknown]);
  return isMap(value) ? Object.entries(value) : [];
}

function childOf(value: unknown, step: string): readonly unknown[] {
  if (Array.isArray(value)) return /^\d+$/.test(step) && Number(step) < value.length ? [value[Number(step)]] : [];
  return isMap(value) && Object.hasOwn(value, step) ? [value[step]] : [];
}
