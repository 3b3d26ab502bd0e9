import { countsText, groupsOf, resultLabels } from '../../domain/preflight/arrange';
import type { RunView } from '../../domain/model/run';
import { utc } from './figures';
import { markup, table, type Markup } from './markup';
import { nodeNamed } from './pageData';
import { nodeLabel } from './sections';

/** The findings before the load, failures first, each with its fix. */
export function preflight(view: RunView): Markup | undefined {
  const report = view.preflight;
  if (!report) return undefined;
  const rows = groupsOf(report.findings).flatMap(({ node, rows: own }) =>
    own.map(({ finding, also }) => [
      nodeLabel(nodeNamed(view.nodes, node), node),
      resultLabels[finding.result],
      also.length > 0 ? `${also.length + 1} rules` : finding.title,
      markup`${finding.sentence}${finding.fix !== undefined && finding.result !== 'pass' && markup`<pre>${finding.fix}</pre>`}`,
    ]),
  );
  return markup`<section><h2>Preflight<small>${countsText(report.findings)}, checked ${utc(report.timeMs)} UTC</small></h2>${table(['Node', 'Result', 'What', 'Finding'], rows)}</section>`;
}
