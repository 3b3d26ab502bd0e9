const digits = (value, count) => (value === undefined ? '' : value.toFixed(count));
const loss = ({ lossPercent }) => digits(lossPercent, 2);
const rate = ({ framesPerSecond }) => digits(framesPerSecond, 2);
const freezes = ({ freezes: count }) => digits(count, 0);
const jitter = ({ jitterMs }) => digits(jitterMs, 2);

/** What is shown of the 20 agent viewers: each time the truth first. Their NACKs are those that the lab heard, of one viewer. */
const agentColumns = [
  ['loss %, truth', ({ truth }) => loss(truth)],
  ['agent', ({ said }) => loss(said)],
  ['fps, truth', ({ truth }) => rate(truth)],
  ['agent', ({ said }) => rate(said)],
  ['freezes, truth', ({ truth }) => freezes(truth)],
  ['agent', ({ said }) => freezes(said)],
  ['jitter ms, truth', ({ truth }) => jitter(truth)],
  ['agent', ({ said }) => jitter(said)],
  ['NACKs', ({ nacks }) => digits(nacks, 0)],
];

const browserColumns = [
  ['loss % before repair, truth', ({ truth }) => loss(truth)],
  ['Chromium', ({ said }) => loss(said)],
  ['fps, truth', ({ truth }) => rate(truth)],
  ['received', ({ said }) => rate(said)],
  ['decoded', ({ said }) => digits(said.framesDecodedPerSecond, 2)],
  ['freezes, truth', ({ truth }) => freezes(truth)],
  ['Chromium', ({ said }) => freezes(said)],
  ['jitter ms per frame, truth', ({ truth }) => jitter(truth)],
  ['Chromium', ({ said }) => jitter(said)],
  ['NACKs heard', ({ truth }) => digits(truth.nacks, 0)],
  ['said', ({ said }) => digits(said.nacks, 0)],
];

/** The comparison as Markdown tables, as docs/performance.md has them. */
export function accuracyTable({ results, viewers, chromium }) {
  const tables = [
    `${viewers} agent viewers together:`,
    '',
    ...table(agentColumns, results, ({ agent }) => agent),
  ];
  if (chromium === undefined) return tables;
  return [
    ...tables,
    '',
    `One Chromium ${chromium}:`,
    '',
    ...table(browserColumns, results, ({ browser }) => browser),
  ];
}

function table(columns, results, who) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line(['conditions', ...columns.map(([name]) => name)]),
    line(['---', ...columns.map(() => '---:')]),
    ...results.map((each) => line([each.condition.name, ...columns.map(([, of]) => of(who(each)))])),
  ];
}
