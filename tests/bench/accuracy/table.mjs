const digits = (value, count) => (value === undefined ? '' : value.toFixed(count));

/** One row per condition; each cell is the truth of those viewers, then what they say of it. */
const columns = [
  ['loss %, truth', ({ agent }) => digits(agent.truth.lossPercent, 2)],
  ['agent', ({ agent }) => digits(agent.said.lossPercent, 2)],
  ['before repair, truth', ({ browser }) => digits(browser?.truth.lossPercent, 2)],
  ['Chromium', ({ browser }) => digits(browser?.said.lossPercent, 2)],
  ['NACKs, agent', ({ agent }) => digits(agent.nacks, 0)],
  ['Chromium heard', ({ browser }) => digits(browser?.truth.nacks, 0)],
  ['said', ({ browser }) => digits(browser?.said.nacks, 0)],
  ['fps, truth', ({ agent }) => digits(agent.truth.framesPerSecond, 2)],
  ['agent', ({ agent }) => digits(agent.said.framesPerSecond, 2)],
  ['truth', ({ browser }) => digits(browser?.truth.framesPerSecond, 2)],
  ['Chromium received', ({ browser }) => digits(browser?.said.framesPerSecond, 2)],
  ['decoded', ({ browser }) => digits(browser?.said.framesDecodedPerSecond, 2)],
  ['freezes, truth', ({ agent }) => digits(agent.truth.freezes, 0)],
  ['agent', ({ agent }) => digits(agent.said.freezes, 0)],
  ['truth', ({ browser }) => digits(browser?.truth.freezes, 0)],
  ['Chromium', ({ browser }) => digits(browser?.said.freezes, 0)],
  ['jitter ms, truth', ({ agent }) => digits(agent.truth.jitterMs, 2)],
  ['agent', ({ agent }) => digits(agent.said.jitterMs, 2)],
  ['truth per frame', ({ browser }) => digits(browser?.truth.jitterMs, 2)],
  ['Chromium', ({ browser }) => digits(browser?.said.jitterMs, 2)],
];

/** The whole comparison as a Markdown table, as docs/performance.md has it. */
export function accuracyTable({ results, chromium }) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    `Chromium ${chromium ?? 'was left out'}.`,
    '',
    line(['conditions', ...columns.map(([name]) => name)]),
    line(['---', ...columns.map(() => '---:')]),
    ...results.map((each) => line([each.condition.name, ...columns.map(([, of]) => of(each))])),
  ];
}
