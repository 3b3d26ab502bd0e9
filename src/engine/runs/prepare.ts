import type { Plan } from '../../domain/plan';
import { FullhouseError } from '../../contract/calls';
import { waitUntil } from '../clock';
import type { AgentNode } from '../fleet/agentNode';
import type { Publications } from '../fleet/publications';
import { splitEvenly } from './course';
import { whole } from './sentences';

const ownStreamMs = 10_000;
const foreignStreamMs = 3000;

/**
 * Makes everything ready for the plan's pull: nodes started, streams published and there. Rejects with one sentence when that
 * can't be, and ends early when `signal` aborts. `onPublished` hears of each publication at once, so that an abort can end it.
 */
export async function prepare(
  plan: Plan,
  nodes: ReadonlyMap<string, AgentNode>,
  publications: Publications,
  signal: AbortSignal,
  onPublished: (job: string) => void,
): Promise<{ readonly remarks: readonly string[] }> {
  const nodeOf = (name: string): AgentNode => {
    const node = nodes.get(name);
    if (!node)
      throw new FullhouseError('bad-plan', `The plan speaks of "${name}", which is not among its nodes.`);
    return node;
  };
  const names = new Set([
    plan.pull.from,
    ...plan.pull.by,
    ...plan.publish.map((publication) => publication.node),
  ]);
  const aborted = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  await Promise.race([Promise.all([...names].map((name) => nodeOf(name).start())), aborted]);
  if (signal.aborted) return { remarks: [] };

  checkShares(plan, nodeOf);

  for (const { stream, node, source } of plan.publish) {
    if (source === 'external') continue;
    const origin = nodeOf(node);
    const served = (await origin.server.streams()).some((candidate) => candidate.stream === stream);
    if (signal.aborted) return { remarks: [] };
    if (!served) onPublished(await publications.publishSample(origin, stream, source));
  }

  const { stream, from } = plan.pull;
  const own = plan.publish.some(
    (publication) => publication.stream === stream && publication.source !== 'external',
  );
  const origin = nodeOf(from);
  const there = await waitUntil(
    () => origin.view().streams.some((candidate) => candidate.stream === stream),
    own ? ownStreamMs : foreignStreamMs,
    signal,
  );
  if (there || signal.aborted) return { remarks: [] };
  if (own)
    throw new FullhouseError(
      'no-stream',
      `Stream ${stream} was published and did not appear on ${from} within ${ownStreamMs / 1000} s.`,
    );
  return { remarks: [`${from} does not list a stream ${stream}; it is pulled all the same`] };
}

function checkShares(plan: Plan, nodeOf: (name: string) => AgentNode): void {
  const shares = splitEvenly(plan.pull.viewers, plan.pull.by.length);
  plan.pull.by.forEach((name, index) => {
    const share = shares[index] ?? 0;
    const limit = nodeOf(name).driver.viewerLimit;
    if (share > limit)
      throw new FullhouseError(
        'too-many-viewers',
        `pull.viewers: ${name} can play at most ${whole(limit)} viewers and would get ${whole(share)}; ask for at most ${whole(limit * plan.pull.by.length)}, raise its limit of open files, or add a tester.`,
      );
  });
}
