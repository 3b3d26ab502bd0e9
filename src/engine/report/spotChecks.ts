import type { RunEvent, RunView } from '../../domain/model/run';
import { agreementOf, agreementText } from '../../domain/spotCheck/agreement';
import { measuredText, ratingWords } from '../../domain/spotCheck/spotCheckText';
import { runTime } from './figures';
import { markup, table, type Markup } from './markup';
import { nodeLabel } from './sections';
import { nodeNamed } from './pageData';

/** Ratings of people beside the figures, with their agreement; undefined without a spot check. */
export function spotChecksSection(view: RunView, events: readonly RunEvent[]): Markup | undefined {
  const checks = events.flatMap(({ timeMs, node = '', spotCheck }) =>
    spotCheck ? [{ timeMs, node, ...spotCheck }] : [],
  );
  const agreement = agreementOf(checks);
  if (!agreement) return undefined;
  const rows = checks.map((check) => [
    markup`<span class="time">${runTime(view, check.timeMs)}</span>`,
    nodeLabel(nodeNamed(view.nodes, check.node), check.node),
    check.stream,
    ratingWords[check.rating],
    measuredText(check),
  ]);
  return markup`<section><h2>Spot checks<small>${agreementText(agreement)}</small></h2>${table(['Time', 'Node', 'Stream', 'Rated', 'Measured'], rows)}</section>`;
}
