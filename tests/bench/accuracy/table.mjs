const digits = (value, count) => (value === undefined ? '' : value.toFixed(count));
const loss = ({ lossPercent }) => digits(lossPercent, 2);
const rate = ({ framesPerSecond }) => digits(framesPerSecond, 2);
const stalls = ({ stalls: count }) => digits(count, 0);
const jitter = ({ jitterMs }) => digits(jitterMs, 2);

/** Columns of the 20 agent viewers, the ground truth first. NACKs are those that the lab received from one viewer. */
const agentColumns = [
  ['loss %, truth', ({ truth }) => loss(truth)],
  ['agent', ({ reported }) => loss(reported)],
  ['fps, truth', ({ truth }) => rate(truth)],
  ['agent', ({ reported }) => rate(reported)],
  ['stalls, truth', ({ truth }) => stalls(truth)],
  ['agent', ({ reported }) => stalls(reported)],
  ['jitter ms, truth', ({ truth }) => jitter(truth)],
  ['agent', ({ reported }) => jitter(reported)],
  ['NACKs', ({ nacks }) => digits(nacks, 0)],
];

const browserColumns = [
  ['loss % before repair, truth', ({ truth }) => loss(truth)],
  ['Chromium', ({ reported }) => loss(reported)],
  ['fps, truth', ({ truth }) => rate(truth)],
  ['received', ({ reported }) => rate(reported)],
  ['decoded', ({ reported }) => digits(reported.framesDecodedPerSecond, 2)],
  ['stalls, truth', ({ truth }) => stalls(truth)],
  ['freezes, Chromium', ({ reported }) => digits(reported.freezes, 0)],
  ['jitter ms per frame, truth', ({ truth }) => jitter(truth)],
  ['Chromium', ({ reported }) => jitter(reported)],
  ['NACKs received', ({ truth }) => digits(truth.nacks, 0)],
  ['sent', ({ reported }) => digits(reported.nacks, 0)],
];

/** Columns of a codec: frames of one viewer. */
const codecColumns = [
  ['frames, truth', ({ frames }) => digits(frames.truth, 1)],
  ['agent', ({ frames }) => digits(frames.agent, 1)],
  ['Chromium', ({ frames }) => digits(frames.browser, 0)],
  ['fps, truth', ({ fps }) => digits(fps.truth, 2)],
  ['agent', ({ fps }) => digits(fps.agent, 2)],
  ['Chromium', ({ fps }) => digits(fps.browser, 2)],
  ["agent off truth's frames, %", ({ offTruth }) => digits(offTruth, 2)],
  ["off Chromium's frames, %", ({ offBrowser }) => digits(offBrowser, 2)],
];

/** The comparison as Markdown tables, as in docs/performance.md. */
export function accuracyTable({ results, viewers, chromium, codecs }) {
  const tables = [];
  if (results.length > 0)
    tables.push(`${viewers} agent viewers together:`, '', ...table(agentColumns, results, ({ agent }) => agent), '');
  if (results.length > 0 && chromium !== undefined)
    tables.push(`One Chromium ${chromium}:`, '', ...table(browserColumns, results, ({ browser }) => browser), '');
  const byCodec = codecs.map((each) => ({ ...each, condition: each }));
  return [...tables, 'Frames by codec:', '', ...table(codecColumns, byCodec, (each) => each)];
}

function table(columns, results, who) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line(['conditions', ...columns.map(([name]) => name)]),
    line(['---', ...columns.map(() => '---:')]),
    ...results.map((each) => line([each.condition.name, ...columns.map(([, of]) => of(who(each)))])),
  ];
}
