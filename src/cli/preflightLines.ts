import { countsText, groupsOf, resultLabels } from '../domain/preflight/arrange';
import type { PreflightReport, PreflightResult } from '../domain/model/preflightReport';

const signs: Readonly<Record<PreflightResult, string>> = { pass: '+', warn: '~', fail: '!', unread: '?' };

/** The report as lines for a terminal: by node, failures first, each with its fix. */
export function preflightLines({ findings }: PreflightReport): string[] {
  const lines = groupsOf(findings).flatMap(({ node, rows }) => [
    `${node}: ${countsText(findings.filter((finding) => finding.node === node))}`,
    ...rows.flatMap(({ finding, also }) => [
      `  ${signs[finding.result]} ${resultLabels[finding.result].padEnd(8)} ${finding.title}: ${finding.sentence}`,
      ...(also.length > 0 ? [`             the same for ${also.join(', ')}`] : []),
      ...(finding.fix === undefined ? [] : finding.fix.split('\n').map((line) => `             ${line}`)),
    ]),
    '',
  ]);
  return [...lines, countsText(findings)];
}
