import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import SSHConfig, { type Directive, type Line, type Section } from 'ssh-config';
import { FullhouseError } from '../../../contract/calls';
import { shortPath } from './hostKeys';
import { reasonOf } from '../../store/failure';

/** ssh has the same limit. */
const deepestInclude = 16;
/** The library matches `HostName` and `User` by exact spelling; ssh ignores case. */
const canonicalNames = new Map(
  ['HostName', 'User', 'Include', 'Host', 'Match'].map((name) => [name.toLowerCase(), name]),
);

/**
 * Reads an ssh config file with all its includes, for one host. An Include inside a Host or Match block applies
 * only where the block does, so the host has to be known here. A missing file counts as empty.
 */
export function readSshConfig(file: string, host: string, depth = 0): SSHConfig {
  const text = readOr(file);
  if (text === undefined) return new SSHConfig();
  if (depth > deepestInclude) throw new FullhouseError('ssh-config', `${shortPath(file)} has circular includes.`);
  let lines: SSHConfig;
  try {
    lines = SSHConfig.parse(text.endsWith('\n') ? text : `${text}\n`);
  } catch (error) {
    throw new FullhouseError('ssh-config', `${shortPath(file)} can't be read: ${reasonOf(error)}.`);
  }
  const included = (directive: Directive): Line[] =>
    wordsOf(directive).flatMap((pattern) =>
      expand(pattern, dirname(file)).flatMap((path) => [...readSshConfig(path, host, depth + 1)]),
    );
  const result = new SSHConfig();
  for (const line of lines) {
    if (!('param' in line)) continue;
    line.param = canonicalNames.get(line.param.toLowerCase()) ?? line.param;
    if (isSection(line)) result.push(...split(line, host, included));
    else if (line.param === 'Include') result.push(...included(line));
    else result.push(line);
  }
  return result;
}

/** A block with its Includes replaced: the lines before one, the included lines, and the rest of the block. */
function split(section: Section, host: string, included: (directive: Directive) => Line[]): Line[] {
  const parts: Line[] = [];
  let part = new SSHConfig();
  const finish = (): void => {
    parts.push({ ...section, config: part });
    part = new SSHConfig();
  };
  for (const line of section.config) {
    if (!('param' in line)) continue;
    line.param = canonicalNames.get(line.param.toLowerCase()) ?? line.param;
    if (line.param !== 'Include') part.push(line);
    else if (applies(section, host)) {
      finish();
      parts.push(...included(line));
    }
  }
  finish();
  return parts;
}

/** Whether a block matches the host, as decided by the library. */
function applies(section: Section, host: string): boolean {
  const probe = SSHConfig.parse('Port 1\n');
  const config = new SSHConfig();
  config.push({ ...section, config: probe });
  return config.compute(host, { matchExec: false })['Port'] !== undefined;
}

function isSection(line: Line): line is Section {
  return 'config' in line;
}

export function wordsOf(directive: Directive): string[] {
  return typeof directive.value === 'string'
    ? directive.value.split(/\s+/).filter(Boolean)
    : directive.value.map(({ val }) => val);
}

function readOr(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new FullhouseError('ssh-config', `${shortPath(file)} can't be read: ${reasonOf(error)}.`);
  }
}

/** The files that match a pattern, sorted; relative ones are beside the including file, `~` is the home folder. */
function expand(pattern: string, folder: string): string[] {
  const home = pattern.replace(/^~(?=\/|$)/, homedir());
  const path = isAbsolute(home) ? home : join(folder, home);
  let found = ['/'];
  for (const part of path.split('/').filter(Boolean)) {
    if (!/[*?]/.test(part)) found = found.map((base) => join(base, part));
    else {
      const expression = new RegExp(
        `^${part
          .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
          .replaceAll('*', '.*')
          .replaceAll('?', '.')}$`,
      );
      found = found.flatMap((base) =>
        names(base)
          .filter((name) => expression.test(name) && (!name.startsWith('.') || part.startsWith('.')))
          .map((name) => join(base, name)),
      );
    }
  }
  return found;
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // a pattern without matches includes nothing
  }
}
