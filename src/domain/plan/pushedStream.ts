/** The name in `stream://NAME`, a source that is a stream of the publishing tester; undefined for other sources. */
export function pushedStream(source: string): string | undefined {
  return /^stream:\/\/(.+)$/.exec(source)?.[1];
}

/** The source for a stream of the publishing tester. */
export const pushedSource = (name: string): string => `stream://${name}`;
