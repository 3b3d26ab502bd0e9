import { visible } from '../visibleText';

/**
 * Words that GitHub, GitLab, Azure DevOps, Bitbucket or their bots act on: mentions, addresses, references to issues,
 * merge requests, milestones, labels, commits and tickets, emoji codes, mathematics, footnotes, images, quick actions.
 * Escaping by backslash does not stop them, because they are searched in the rendered text; code is left out there.
 */
const live: readonly RegExp[] = [
  // Mentions and mail addresses, issues and pull requests, merge requests, snippets, milestones, labels, epics.
  /[@#$^~[\]]/,
  /[!%&](?=[\p{L}\p{N}"'])/u,
  // Addresses of any scheme, and those without one.
  /:\/\/|www\.|\b(?:mailto|xmpp|tel|javascript|data|vbscript):/i,
  // Emoji; a time of day has two digits between its colons.
  /:(?!\d\d:)[\w+-]+:/,
  // Commits, tickets (GH-12, PROJ-12), actions (/close).
  /\b[0-9a-f]{7,64}\b/i,
  /[A-Z][A-Z0-9_]+-\d/,
  /^\/\p{L}/u,
  // Bitbucket and GitLab: changes within a line, iterations.
  /\{[+-]|[+-]\}|\*iteration:/,
];

/** A sign alone starts nothing, as in the name of a processor. */
const isLive = (word: string): boolean => !/^[@#^~[\]]$/.test(word) && live.some((pattern) => pattern.test(word));

/** A word as code: shown as it is, and without effect. A bar would end the cell of a table, also within code. */
function code(word: string): string {
  return word
    .split('|')
    .map((part) => {
      if (part === '') return '';
      const longest = Math.max(0, ...(part.match(/`+/g) ?? []).map(({ length }) => length));
      const fence = '`'.repeat(longest + 1);
      const space = /^`|`$/.test(part) ? ' ' : '';
      return `${fence}${space}${part}${space}${fence}`;
    })
    .join('\\|');
}

/** Everything with a meaning in Markdown or in the HTML within it. */
const escaped = (word: string): string => word.replace(/[\\`*_{}[\]<>|#~&!$^]/g, '\\$&');

/**
 * A foreign text within Markdown, on one line: names of hosts, streams and users, answers of servers. It adds no markup,
 * mentions no one, and refers to nothing: words that would are written as code.
 */
export function md(text: string): string {
  const words = visible(text)
    .split(/\s+/)
    .filter((word) => word !== '');
  return words
    .map((word) => (isLive(word) ? code(word) : escaped(word)))
    .join(' ')
    .replace(/^[-+](?=[\s-]|$)|^=/, '\\$&')
    .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2');
}

const tableRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A table whose cells are Markdown already; `alignments` as in `---:`. */
export function tableOf(
  head: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
  alignments: readonly string[] = head.map(() => '---'),
): string {
  return [head, alignments, ...rows].map(tableRow).join('\n');
}

/** A text in several lines as a block of code, whatever fences are in it. */
export function codeBlock(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${visible(text)}\n${fence}`;
}
