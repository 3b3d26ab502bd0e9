import { randomBytes } from 'node:crypto';
import type { NodeSettings } from '../../../domain/model/nodeSettings';
import type { Need, ApiName, ClusterReading } from './need';
import { pathOfConfig, type ConfigName } from './configs';
import { needKey, type Answer } from './facts';
import { type ServerProcess } from './serverProcess';
import type { Place } from './shell';
import { scriptCommand, parseOutput, type Piece, type Question } from './script';

export interface NodeToRead {
  /** The plan's name, for messages. */
  readonly who: string;
  readonly settings: NodeSettings;
  /** Name of the server's process; undefined where the node has no server. */
  readonly processName: string | undefined;
}

/** Reads everything that the rules of a node need, with a second round for paths that depend on the first. */
export async function readNode(
  place: Place,
  node: NodeToRead,
  needs: readonly Need[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Answer>> {
  const answers = new Map<string, Answer>();
  const first: Question[] = [];
  const keys: string[] = [];
  const configs = new Set<ConfigName>();
  const requests = new Set<string>();
  let wantsProcess = false;
  for (const need of needs) {
    const key = needKey(need);
    if (requests.has(key)) continue;
    requests.add(key);
    if ('config' in need) configs.add(need.config);
    else if ('process' in need) wantsProcess = true;
    else if ('api' in need || 'cluster' in need)
      continue; // read over HTTP, independently of the host
    else {
      keys.push(key);
      first.push(questionOf(need));
    }
  }
  const name = node.processName;
  if ((wantsProcess || configs.size > 0) && name !== undefined) first.push({ kind: 'process', name });
  const pieces = await ask(place, first, signal);
  const of = (index: number): readonly Piece[] => pieces.filter(({ question }) => question === index);
  keys.forEach((key, index) => answers.set(key, answerOf(node.who, first[index], of(index))));

  const processes = name === undefined ? [] : processesOf(of(first.length - 1));
  answers.set(
    needKey({ process: 'server' }),
    processes.length > 0
      ? { processes }
      : {
          unread:
            name === undefined
              ? `${node.who} has no server of a known family.`
              : `No process called "${name}" runs on ${node.who}; enter the server's process name in the node's settings.`,
        },
  );

  const second: Array<{ readonly name: ConfigName; readonly path: string }> = [];
  for (const config of configs) {
    const path = pathOfConfig(config, node.settings, processes);
    if (path === undefined)
      answers.set(needKey({ config }), {
        unread: `The path of ${config} on ${node.who} is unknown: its process could not be inspected.`,
      });
    else second.push({ name: config, path });
  }
  if (second.length > 0) {
    const found = await ask(
      place,
      second.map(({ path }) => ({ kind: 'file', path })),
      signal,
    );
    second.forEach(({ name: config, path }, index) => {
      const answer = answerOf(
        node.who,
        { kind: 'file', path },
        found.filter(({ question }) => question === index),
      );
      const environment = config === 'srs.conf' ? processes.find((each) => each.environment)?.environment : undefined;
      // With `-e` SRS reads no file at all.
      const isWithoutFile = environment !== undefined && processes.some(({ words }) => words.includes('-e'));
      const text = isWithoutFile ? '' : 'text' in answer ? answer.text : undefined;
      answers.set(
        needKey({ config }),
        text === undefined ? answer : { config: { path, text, ...(environment ? { environment } : {}) } },
      );
    });
  }
  return answers;
}

async function ask(place: Place, questions: readonly Question[], signal: AbortSignal): Promise<Piece[]> {
  if (questions.length === 0) return [];
  const mark = `fh-${randomBytes(12).toString('hex')}`;
  return parseOutput(await place.run(scriptCommand(questions, mark), signal), mark);
}

function questionOf(
  need: Exclude<
    Need,
    | { readonly config: ConfigName }
    | { readonly process: 'server' }
    | { readonly api: ApiName }
    | { readonly cluster: ClusterReading }
  >,
): Question {
  if ('file' in need) return { kind: 'file', path: need.file };
  if ('files' in need) return { kind: 'files', pattern: need.files };
  return { kind: 'command', name: need.command };
}

function answerOf(who: string, question: Question | undefined, pieces: readonly Piece[]): Answer {
  if (question?.kind === 'files')
    // An unreadable file, such as the speed of a virtual interface, counts as missing.
    return {
      texts: pieces.flatMap(({ word, of, text, code }) =>
        word === 'text' && code === 0 ? [{ path: of, text: text.trimEnd() }] : [],
      ),
    };
  const [piece] = pieces;
  if (!piece) return { unread: `${who} returned an incomplete response.` };
  const { word, of, text, code } = piece;
  if (question?.kind === 'command')
    return code === 0
      ? { text }
      : code === 127
        ? { unread: `Program "${of}" does not exist on ${who}.` }
        : { unread: `"${of}" ended with ${code} on ${who}${firstLine(text)}.` };
  if (word === 'absent') return { unread: `${of} does not exist on ${who}, or its folder can't be read.` };
  if (word === 'closed') return { unread: `The account used on ${who} has no permission to read ${of}.` };
  return code === 0 ? { text: text.trimEnd() } : { unread: `${of} could not be read on ${who}.` };
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0]?.trim();
  return line ? `: ${line.slice(0, 120)}` : '';
}

function environmentOf(lines: string): Record<string, string> {
  return Object.fromEntries(
    lines.split('\n').map((line): [string, string] => {
      const equals = line.indexOf('=');
      return [line.slice(0, equals), line.slice(equals + 1)];
    }),
  );
}

function processesOf(pieces: readonly Piece[]): ServerProcess[] {
  const pids = [...new Set(pieces.filter(({ word }) => word === 'cmdline').map(({ of }) => of))];
  const all = pids.map((pid): ServerProcess => {
    const text = (wanted: Piece['word']): string =>
      pieces.find(({ word, of, code }) => word === wanted && of === pid && code === 0)?.text.trimEnd() ?? '';
    const [program, folder, variables] = [text('exe'), text('cwd'), text('environ')];
    return {
      pid: Number(pid),
      words: text('cmdline').split('\n'),
      limits: text('limits'),
      ...(program ? { program } : {}),
      ...(folder ? { folder } : {}),
      ...(variables ? { environment: environmentOf(variables) } : {}),
    };
  });
  // Among several JVMs only WCS's own counts.
  const wcs = all.filter(({ words }) => words.some((word) => /flashphoner/i.test(word)));
  return wcs.length > 0 ? wcs : all;
}
