import type { NodeSettings } from '../model/nodeSettings';

/** Whether two settings describe the same node: the same fields with the same values, in any order. */
export function sameSettings(one: NodeSettings, other: NodeSettings): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const fields = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`);
  return `{${fields.join(',')}}`;
}
