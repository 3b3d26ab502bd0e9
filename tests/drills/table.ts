import { unexplainedLoss, type Fault, type Played } from './fault';

/** What the table has of one fault. */
export interface Row {
  readonly fault: string;
  readonly lost: string;
  readonly leftovers: string;
  readonly sentence: string;
  readonly exit: string;
}

const head = ['fault', 'samples lost', 'left over', 'what a person sees', 'exit code'];

const intro = `# Faults

\`npm test -- drills\` applies each fault to a real run of 300 viewers of the lab (of nginx-rtmp, where the API of a
server is needed), and checks this table. It needs root, Linux and about ten minutes. To write the page anew:
\`npx vitest run --project drills -u\`.

- **Samples lost**: seconds without a sample of the audience, up to the last second that was written. A time in which
  nothing could be measured is a gap: its length is stated, and nothing is filled in.
- **Left over**: processes, ports and files besides the run, its report and the app's own data. The agent of an SSH
  tester stays there for the next run; the drill counts what *Remove agent* leaves.
- **What a person sees**: in the terminal, the verdict or the window. Names of folders, ports, users and times of day
  are replaced.
- **Exit code** of the command line or the app: 0 pass; 1 fail; 2 not started; 3 inconclusive; 137 killed.

`;

/** The row of a played fault. */
export function rowOf(fault: Fault, played: Played): Row {
  const { name, sentence, gapSeconds } = fault;
  const { shown, exit, recorded, leftovers } = played;
  const gap = gapSeconds === undefined ? '' : `, gap of ${gapSeconds} s`;
  return {
    fault: name,
    lost: recorded ? `${unexplainedLoss(fault, played)}${gap}` : 'no run',
    leftovers: leftovers.length === 0 ? '0' : leftovers.join(', '),
    sentence: masked((sentence.exec(shown)?.[1] ?? '').trim()),
    exit: String(exit),
  };
}

/** Replaces what differs from one drill to the next. */
export function masked(sentence: string): string {
  return sentence
    .replace(/\/\S*fullhouse-(drill|sshd|nginx)-[^/\s]+/g, '…')
    .replace(/[\w-]+\.fullhouse\b/g, 'RUN.fullhouse')
    .replace(/\b\d\d:\d\d:\d\d\b/g, 'HH:MM:SS')
    .replace(/\b(127\.0\.0\.1|10\.\d+\.\d+\.\d+):\d+/g, 'HOST:PORT')
    .replace(/\b(127\.0\.0\.1|10\.\d+\.\d+\.\d+)\b/g, 'HOST')
    .replace(/\bfh\d+x\w+/g, 'USER')
    .replace(/(?<![\d,.])\d+(\.\d+)? s\b/g, 'N s')
    .replace(/\b\d+ viewers (failed|of another)\b/g, 'N viewers $1')
    .replace(/\bViewer \d+\b/g, 'Viewer N')
    .replace(/\b\d+ packets in \d+(\.\d+)?s/g, 'N packets in N s')
    .replace(/\b\d+\.\d+s\b/g, 'N s')
    .replace(/\bcode \d+/g, 'code N')
    .replace(/ broke: [^;]*;/g, ' broke: REASON;')
    .replace(/\|/g, '\\|');
}

/** The page with the table: new rows replace those of the same fault, in the order of all faults. */
export function faultsPage(order: readonly string[], rows: readonly Row[], page: string): string {
  const known = new Map([...rowsOf(page), ...rows].map((row) => [row.fault, row]));
  const lines = order.flatMap((fault) => {
    const row = known.get(fault);
    return row ? [line([row.fault, row.lost, row.leftovers, row.sentence, row.exit])] : [];
  });
  return `${intro}${table(lines)}\n`;
}

/** A table of these rows, in Markdown. */
export const tableOf = (rows: readonly Row[]): string =>
  table(rows.map((row) => line([row.fault, row.lost, row.leftovers, row.sentence, row.exit])));

const table = (lines: readonly string[]): string => [line(head), line(head.map(() => '---')), ...lines].join('\n');

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function rowsOf(page: string): Row[] {
  const lines = page.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => {
    const [fault = '', lost = '', leftovers = '', sentence = '', exit = ''] = line.slice(2, -2).split(' | ');
    return { fault, lost, leftovers, sentence, exit };
  });
}
