import { visible, visibleLine } from '../visibleText';

/** What CI systems take for a command wherever it is in a line: GitHub and Azure (`##[`), Azure, TeamCity. */
const command = /##(?=\[|vso\[|teamcity\[)/gi;

/**
 * A line for a terminal or the log of a CI job. A text that is quoted in it adds no line, moves no cursor, and is no
 * command: GitHub obeys a line that starts with `::`, also after spaces, and the log's other markers need the escape
 * sequences that are made visible here.
 */
export function terminalLine(text: string): string {
  return visibleLine(text)
    .replace(/^\s*:(?=:)/, '$& ')
    .replace(command, '# #');
}

/** A value as JSON on one line, the same value for every reader. */
export function terminalJson(value: unknown): string {
  const json = JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? visible(each) : each));
  // Keys are texts too; a number sign can only be within a text.
  return visible(json).replace(command, '#\\u0023');
}
