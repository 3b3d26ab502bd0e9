const columns = [
  ['what', 'what'],
  ['field', 'reference tool, recorded earlier'],
  ['plain', 'plain client'],
  ['ours', 'agent'],
  ['wanted', 'target'],
  ['verdict', 'result'],
];

/** The rows for a terminal, as lines; notes follow their row. */
export function terminalTable(rows) {
  const head = Object.fromEntries(columns);
  const widths = columns.map(([key]) => Math.max(...[head, ...rows].map((row) => row[key].length)));
  const line = (row) =>
    columns
      .map(([key], index) => row[key].padEnd(widths[index]))
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.flatMap((row) => [line(row), ...row.notes.map((note) => `  ${note}`)])];
}

/** The rows as a table of Markdown; notes are in the last column. */
export function markdownTable(rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(([, title]) => title)),
    line(columns.map(() => '---')),
    ...rows.map((row) =>
      line(
        columns.map(([key]) =>
          key === 'verdict' ? [row.verdict, ...row.notes].filter((text) => text !== '').join('; ') : escaped(row[key]),
        ),
      ),
    ),
  ];
}

const escaped = (text) => text.replaceAll('|', '\\|');
