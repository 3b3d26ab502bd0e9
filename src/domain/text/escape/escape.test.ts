import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { hostileTexts } from '../../../../tests/support/hostile/texts';
import { csvCell } from './csv';
import { helpText, labelValue } from './exposition';
import { codeBlock, md, tableOf } from './markdown';
import { htmlText, xmlText } from './markup';
import { terminalJson, terminalLine } from './terminal';

const corpus = Object.entries(hostileTexts);
/** What no output has, whatever it escapes itself: control characters, signs of direction, hidden ones. */
const acting =
  /[^\P{Cc}\t\r\n]|[\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\u3164\ufeff\u00ad]|[\p{Cs}\u{e0000}-\u{e007f}]/u;

describe.each(corpus)('%s', (_, text) => {
  it('is one line on a terminal, and no command of a CI system', () => {
    const line = terminalLine(text);
    expect(line).not.toMatch(acting);
    expect(line).not.toMatch(/[\r\n\t]/);
    expect(line.trimStart()).not.toMatch(/^::/);
    expect(line).not.toMatch(/##(\[|vso\[|teamcity\[)/);
  });

  it('is one line of JSON with the same value', () => {
    const json = terminalJson({ [text]: text });
    expect(json).not.toMatch(acting);
    expect(json).not.toMatch(/[\r\n]|##(\[|vso\[|teamcity\[)/);
    expect(Object.values(JSON.parse(json) as object)).toHaveLength(1);
  });

  it('is text in Markdown: no markup, mention, reference, address or action', () => {
    const written = md(text);
    expect(written).not.toMatch(acting);
    expect(written).not.toMatch(/[\r\n]/);
    // What a renderer leaves to others: the text without code. Code has no effect in GitHub, GitLab or Azure DevOps.
    const outside = written.replace(/(?<![\\`])(`+)(?!`)[^]*?[^`]\1(?!`)/g, '');
    expect(outside).not.toMatch(
      /@\w|\w@|#\d|!\d|%\d|~\d|\$|:\/\/|www\.|mailto:|:\w+:(?<!12:30:)|GH-\d|PROJ-\d|^\/|[0-9a-f]{7}/,
    );
    expect(outside.replace(/\\[^A-Za-z0-9\s]/g, 'x')).not.toMatch(/[`*_{}[\]<>|#~&]|^[-+](?:\s|$)|^=|^\d+[.)](?:\s|$)/);
  });

  it('is one cell of a table in Markdown', () => {
    const rows = tableOf(['a', 'b'], [[md(text), md(text)]]).split('\n');
    expect(rows).toHaveLength(3);
    expect(rows[2]?.match(/(?<!\\)\|/g)).toHaveLength(3);
  });

  it('does not end a block of code', () => {
    const lines = codeBlock(text, 'yaml').split('\n');
    const fence = /^`+/.exec(lines[0] ?? '')?.[0] ?? '';
    expect(lines.at(-1)).toBe(fence);
    expect(lines.slice(1, -1).some((line) => line.trimStart().startsWith(fence))).toBe(false);
  });

  it('is one cell of a CSV file, and no formula', () => {
    const cell = csvCell(text);
    expect(cell).not.toMatch(acting);
    const value = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
    expect(value).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
    expect(cell.startsWith('"') || !/[",;\r\n]/.test(cell)).toBe(true);
  });

  it('is text in HTML and XML', () => {
    expect(htmlText(text)).not.toMatch(acting);
    expect(htmlText(text)).not.toMatch(/[<>"']/);
    const xml = `<a b="${xmlText(text)}">${xmlText(text)}</a>`;
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(xml).not.toMatch(/[\ufffe\uffff]/);
    const parsed = new XMLParser({ ignoreAttributes: false }).parse(xml) as { readonly a: Record<string, unknown> };
    expect(Object.keys(parsed.a).sort()).toEqual(['#text', '@_b']);
  });

  it('is one label in Prometheus formats', () => {
    const line = `m{a="${labelValue(text)}"} 1`;
    expect(line).not.toMatch(acting);
    expect(line).toMatch(/^m\{a="(?:[^"\\\r\n]|\\[\\"n])*"\} 1$/);
    for (const form of ['text', 'openmetrics'] as const) expect(helpText(text, form)).not.toMatch(/[\r\n]/);
  });
});

it('leaves ordinary sentences as they are', () => {
  expect(md('2 × CPU @ 2.20GHz')).toBe('2 × CPU @ 2.20GHz');
  expect(md('36.2 of 996 viewers, -5 %')).toBe('36.2 of 996 viewers, -5 %');
  const sentence = 'origin: 300 of 1,000 viewers failed at 12:30:45 (ICE), 5 % of 3.2 Mbit/s; see "Zürich", é 東京.';
  expect(terminalLine(sentence)).toBe(sentence);
  expect(md(sentence)).toBe(sentence);
  expect(csvCell('origin')).toBe('origin');
  expect([csvCell(-5.3), csvCell(undefined), csvCell(0)]).toEqual(['-5.3', '', '0']);
});

it('shows what could act as code', () => {
  expect(md('SSH to qa@10.0.0.9 fails: see #12')).toBe('SSH to `qa@10.0.0.9` fails: see `#12`');
  expect(md('a`b@c')).toBe('``a`b@c``');
  expect(md('@a|@b')).toBe('`@a`\\|`@b`');
  expect(md('a_b *c* <d>')).toBe('a\\_b \\*c\\* \\<d\\>');
});
