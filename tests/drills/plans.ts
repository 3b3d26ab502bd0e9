/** Viewers of each drill. */
export const viewers = 300;

/**
 * Only the number of connected viewers is judged: several drills run on the machine at the same time, so its load is
 * not under test.
 */
const expect = `expect: { connected: ">= 100%", degraded: off, cpu: off, gcPause: off }`;

/** The lab with a local tester, or with the given one. */
export function labPlan({
  holdSeconds = 20,
  audience = '{ tester: local }',
  count = viewers,
}: { readonly holdSeconds?: number; readonly audience?: string; readonly count?: number } = {}): string {
  return planOf('{ server: lab }', audience, '', `protocol: whep, viewers: ${count}, hold: ${holdSeconds}s`);
}

/** A plan whose stream is published by `publisher`, if the origin needs one. */
export function planOf(origin: string, audience: string, publisher: string, pull: string): string {
  return `name: Drill
nodes:
  origin: ${origin}
  audience: ${audience}
publish:
  - { stream: cam, node: origin, source: sample-240p${publisher === '' ? '' : `, by: ${publisher}`} }
pull: { stream: cam, from: origin, by: [audience], rate: 50/s, ${pull} }
${expect}
`;
}
