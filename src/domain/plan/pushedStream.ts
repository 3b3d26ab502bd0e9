/** The name in `stream://NAME`, a source that is a stream of the publishing tester; undefined for other sources. */
export function pushedStream(source: string): string | undefined {
  return /^stream:\/\/(.+)$/.exec(source)?.[1];
}
