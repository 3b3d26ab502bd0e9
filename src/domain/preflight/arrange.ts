import type { PreflightFinding, PreflightResult } from '../model/preflightReport';

/** In display order. */
const order: readonly PreflightResult[] = ['fail', 'warn', 'unread', 'pass'];

export const resultLabels: Readonly<Record<PreflightResult, string>> = {
  pass: 'pass',
  warn: 'warn',
  fail: 'fail',
  unread: 'not read',
};

/** One row of the list: a finding, or several of a node that could not be read for the same reason. */
export interface PreflightRow {
  readonly key: string;
  readonly finding: PreflightFinding;
  /** Titles of the others with the same reason; empty for a single finding. */
  readonly also: readonly string[];
}

export interface PreflightGroup {
  readonly node: string;
  readonly rows: readonly PreflightRow[];
}

/** Number of findings per result. */
export function countResults(findings: readonly PreflightFinding[]): Readonly<Record<PreflightResult, number>> {
  const counts = { pass: 0, warn: 0, fail: 0, unread: 0 };
  for (const { result } of findings) counts[result] += 1;
  return counts;
}

/** The findings by node, in order of the nodes, failures first. */
export function groupsOf(findings: readonly PreflightFinding[]): readonly PreflightGroup[] {
  const nodes = [...new Set(findings.map(({ node }) => node))];
  return nodes.map((node) => ({
    node,
    rows: rowsOf(
      findings
        .filter((finding) => finding.node === node)
        .sort((a, b) => order.indexOf(a.result) - order.indexOf(b.result)),
    ),
  }));
}

/** Without SSH every rule of a host has the same result; it is listed once. */
function rowsOf(findings: readonly PreflightFinding[]): readonly PreflightRow[] {
  const rows: Array<{ key: string; finding: PreflightFinding; also: string[] }> = [];
  for (const finding of findings) {
    const same =
      finding.result === 'unread'
        ? rows.find((row) => row.finding.result === 'unread' && row.finding.sentence === finding.sentence)
        : undefined;
    if (same) same.also.push(finding.title);
    else rows.push({ key: `${finding.node} ${finding.rule}`, finding, also: [] });
  }
  return rows;
}

/** e.g. `2 fail, 3 warn, 1 not read, 20 pass`; zero counts are omitted. */
export function countsText(findings: readonly PreflightFinding[]): string {
  const counts = countResults(findings);
  const parts = order.filter((result) => counts[result] > 0);
  return parts.map((result) => `${counts[result]} ${resultLabels[result]}`).join(', ') || 'nothing to check';
}
