import type { NodeView } from './node';

/**
 * Why a host whose figures have a configured source has none, as the end of a sentence; undefined where no source is
 * configured, which is another matter: then one can be added.
 */
export function silentHostSource({
  id,
  name,
  links = [],
}: Pick<NodeView, 'id' | 'name' | 'links'>): string | undefined {
  const sources = links.filter(({ kind }) => kind === 'ssh' || kind === 'metrics');
  const [failed] = sources.filter(({ problem }) => problem !== undefined);
  if (failed?.problem !== undefined) return withoutName(failed.problem, [id, name]);
  const [first] = sources;
  if (!first) return undefined;
  return first.state === 'live'
    ? `its ${first.label} does not report it`
    : `its ${first.label} has not responded so far`;
}

/** Why the garbage collector's log has no figures, as far as known. */
export function silentGcLog({ id, name, gcProblem }: Pick<NodeView, 'id' | 'name' | 'gcProblem'>): string | undefined {
  return gcProblem === undefined ? undefined : withoutName(gcProblem, [id, name]);
}

/** Without the node's name at the start and the full stop at the end. */
function withoutName(sentence: string, names: readonly string[]): string {
  const start = names.map((name) => `${name}: `).find((prefix) => sentence.startsWith(prefix)) ?? '';
  return sentence.slice(start.length).replace(/\.$/, '');
}
