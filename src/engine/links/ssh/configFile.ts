import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { FullhouseError } from '../../../contract/calls';
import { reasonNotRead } from '../../store/failure';
import { matchesPatterns, parseConfigLine, type ConfigLine } from './configLine';
import { evaluateMatch, type MatchResult } from './configMatch';
import { shortPath } from './hostKeys';

/** ssh has the same limit. */
const deepestInclude = 16;

export interface ConfigQuery {
  /** In the order of reading; relative Includes are in `folder`, at any depth. */
  readonly files: ReadonlyArray<{ readonly path: string; readonly folder: string }>;
  /** As entered. */
  readonly host: string;
  readonly localUser: string;
  /** Settings of the node, which have precedence over the files. */
  readonly given: Readonly<Partial<Record<'user' | 'port' | 'proxyjump', string>>>;
  /** A HostName of the config with its tokens replaced. */
  readonly hostOf: (hostName: string | undefined) => string;
}

/** The values of keywords in lower case; of most there is one, the first that was read. */
export type ConfigValues = ReadonlyMap<string, readonly string[]>;

/** Keywords that are used: the others have no effect here. */
const used: Readonly<Record<string, 'first' | 'words' | 'rest' | 'all'>> = {
  hostname: 'first',
  user: 'first',
  port: 'first',
  tag: 'first',
  identitiesonly: 'first',
  identityagent: 'first',
  hostkeyalias: 'first',
  canonicalizehostname: 'first',
  userknownhostsfile: 'words',
  proxyjump: 'rest',
  proxycommand: 'rest',
  identityfile: 'all',
  certificatefile: 'all',
};

/**
 * The values for one host, from ssh config files with their includes, as ssh reads them: line by line, and once more after
 * HostName is known if `Match final` or CanonicalizeHostname requests it. A missing file counts as empty. Rejects with
 * `ssh-config`. No program is run: a value that depends on `Match exec` is refused.
 */
export function readSshConfig(query: ConfigQuery): ConfigValues {
  const first = new Reading(query, query.host, false, new Map());
  first.readAll();
  const canonicalize = first.values.get('canonicalizehostname')?.[0]?.toLowerCase() ?? 'no';
  if (!first.isFinalWanted && canonicalize === 'no') return first.values;
  const second = new Reading(query, first.hostName().toLowerCase(), true, first.values);
  second.readAll();
  return second.values;
}

/** Whether the lines of a block apply; a text: it depends on this criterion. */
type Active = MatchResult;

class Reading {
  isFinalWanted = false;

  constructor(
    private readonly query: ConfigQuery,
    private readonly host: string,
    private readonly isFinal: boolean,
    readonly values: Map<string, string[]>,
  ) {}

  readAll(): void {
    for (const { path, folder } of this.query.files) this.read(path, folder, true, 0);
  }

  hostName(): string {
    const hostName = this.values.get('hostname')?.[0];
    return hostName === undefined ? this.host : this.query.hostOf(hostName);
  }

  /** `within`: whether the block of the Include applies; if not, neither do the blocks of its file. */
  private read(path: string, folder: string, within: Active, depth: number): void {
    if (depth > deepestInclude) throw new FullhouseError('ssh-config', `${shortPath(path)} has circular includes.`);
    const text = readOr(path);
    if (text === undefined) return;
    let active = within;
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      const where = `${shortPath(path)}, line ${index + 1}`;
      try {
        const parsed = parseConfigLine(line);
        if (!parsed) continue;
        const { keyword, words } = parsed;
        if (keyword === 'host') active = both(within, matchesPatterns(this.host, words));
        else if (keyword === 'match') active = both(within, this.match(words));
        else if (keyword === 'include')
          for (const pattern of words)
            for (const file of filesOf(pattern, folder)) this.read(file, folder, active, depth + 1);
        else this.set(parsed, active, where);
      } catch (error) {
        if (!(error instanceof FullhouseError) || /\.$/.test(error.message)) throw error;
        throw new FullhouseError('ssh-config', `${where}: ${error.message}.`);
      }
    }
  }

  private match(words: readonly string[]): MatchResult {
    const { query, values } = this;
    return evaluateMatch(words, {
      host: this.hostName(),
      originalHost: query.host,
      user: query.given.user ?? values.get('user')?.[0] ?? query.localUser,
      localUser: query.localUser,
      tag: values.get('tag')?.[0] ?? '',
      isFinal: this.isFinal,
      wantFinal: () => (this.isFinalWanted = true),
    });
  }

  private set({ keyword, words, rest }: ConfigLine, active: Active, where: string): void {
    const kind = used[keyword];
    if (kind === undefined || active === false) return;
    const value = kind === 'rest' ? [rest] : kind === 'words' ? [...words] : words.slice(0, 1);
    if ((value[0] ?? '') === '') throw new FullhouseError('ssh-config', `${keyword} has no value`);
    const known = this.values.get(keyword);
    // Of the two ways through other hosts the first counts.
    const other = { proxyjump: 'proxycommand', proxycommand: 'proxyjump' }[keyword];
    const isGiven = keyword in this.query.given || (keyword === 'proxycommand' && 'proxyjump' in this.query.given);
    const isSet = known !== undefined || (other !== undefined && this.values.has(other));
    if (isGiven || (kind === 'all' ? known?.includes(value[0] ?? '') : isSet)) return;
    if (typeof active === 'string')
      throw new FullhouseError(
        'ssh-config',
        `${where}: this ${keyword} may apply to ${this.query.host}, but depends on ${active}, which Fullhouse does not evaluate: it runs no programs of the ssh config. Use Match host, user or tagged there, or write what applies in a Host block before it.`,
      );
    if (kind === 'all' && known) known.push(...value);
    else this.values.set(keyword, value);
  }
}

function both(outer: Active, inner: Active): Active {
  return outer === true || inner === false ? inner : outer;
}

function readOr(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new FullhouseError('ssh-config', `${shortPath(file)} can't be read: ${reasonNotRead(error)}.`);
  }
}

/** The files that match a pattern, sorted; relative ones are in `folder`, `~` is the home folder. */
function filesOf(pattern: string, folder: string): string[] {
  const home = pattern.replace(/^~(?=\/|$)/, homedir());
  const path = isAbsolute(home) ? home : `${folder}/${home}`;
  let found = ['/'];
  for (const part of path.split('/').filter(Boolean)) {
    if (!/[*?[]/.test(part)) found = found.map((base) => join(base, part));
    else {
      const expression = globExpression(part);
      found = found.flatMap((base) =>
        names(base)
          .filter((name) => expression.test(name) && (!name.startsWith('.') || part.startsWith('.')))
          .map((name) => join(base, name)),
      );
    }
  }
  return found;
}

/** A pattern of a file name: `*`, `?`, `[a-z]`, `[!a-z]`, and a backslash before a character that stands for itself. */
function globExpression(part: string): RegExp {
  const tokens = part.match(/\[[!^]?\]?[^\]]*\]|\\.|./gs) ?? [];
  const expression = tokens.map((token) => {
    if (token === '*') return '.*';
    if (token === '?') return '.';
    const [, not, characters] = /^\[([!^]?)(\]?[^\]]*)\]$/s.exec(token) ?? [];
    if (characters !== undefined)
      return `[${not ? '^' : ''}${characters.replace(/\[:(\w+):\]?/g, '').replace(/[\\\]^[]/g, '\\$&')}]`;
    return token.replace(/^\\(?=.)/s, '').replace(/[\\^$.|+()[\]{}*?]/g, '\\$&');
  });
  return new RegExp(`^${expression.join('')}$`, 's');
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // a pattern without matches includes nothing
  }
}
