import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunReader } from '../store';
import { csvLines } from './csv';
import { reportHtml } from './html';
import { junitXml } from './junit';
import { markdownText } from './markdown';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { hostileTexts } from '../../../tests/support/hostile/texts';
import { openThousandViewers } from '../../../tests/support/reportRun';

let reader: RunReader;
let close: () => void;
beforeAll(() => {
  ({ reader, close } = openThousandViewers());
});
afterAll(() => close());

const planted = '\u001b[2J\u009b31m\u202eowned\u0007';
/** What users enter and hosts report: a server, a host or the sender of a file controls these. */
const foreign = new Set(['name', 'sentence', 'detail', 'software', 'cpuModel', 'system', 'who', 'title', 'expected']);

/** A copy in which each such text ends in another one. */
function plant<T>(value: T, text: string, key = ''): T {
  if (typeof value === 'string') return (foreign.has(key) ? `${value}${text}` : value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => plant(each, text, key)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plant(each, text, name)])) as T;
}

/** The run with such texts. */
function withTexts(text: string): RunReader {
  const view = plant(reader.view(), text);
  const events = plant(reader.events(), text);
  return new Proxy(reader, {
    get: (target, name) => {
      if (name === 'view') return () => view;
      if (name === 'events') return () => events;
      const member = Reflect.get(target, name, target) as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

it('no report of a run lets its texts affect a terminal or a page', () => {
  const all = withTexts(planted);
  const reports = {
    html: reportHtml(all),
    junit: junitXml(all),
    markdown: markdownText(all),
    csv: csvLines(
      { keys: [{ node: 'o', series: `server:x${planted}` }], key: [0], timeMs: [0], value: [1] },
      () => planted,
    ),
  };
  for (const [kind, text] of Object.entries(reports)) {
    expect(text, kind).toContain('owned');
    expect(text.match(/[^\P{Cc}\t\r\n]|[\u202a-\u202e]/gu), kind).toBeNull();
  }
  // The data of the page's script.
  const data = /id="data">(.*?)<\/script>/s.exec(reports.html)?.[1] ?? '';
  expect(data).toContain('owned');
  expect(data).not.toContain('\\u001b');
  expect(reports.markdown).toMatch(/`\S*␛\[2J␛\[31m<U\+202E>owned␇`/);
});

/** Markdown as it acts: without code, which GitHub, GitLab and Azure DevOps leave as it is. */
const withoutCode = (markdown: string): string =>
  markdown.replace(/^(`{3,})[^]*?^\1$/gm, '').replace(/(?<![\\`])(`+)(?!`)[^]*?[^`]\1(?!`)/g, '');

const cases = (xml: string): number => (xml.match(/<testcase /g) ?? []).length;
/** Tags of the page; charts are left out, since they place labels by their width. */
const tagsOf = (html: string): number =>
  (
    html
      .replace(/<svg class="chart"[^]*?<\/svg>/g, '')
      .replace(/<script[^]*?<\/script>/g, '')
      .match(/<[a-z/!]/gi) ?? []
  ).length;
let plain: { readonly markdown: string; readonly cases: number; readonly tags: number };
beforeAll(() => {
  plain = {
    markdown: withoutCode(markdownText(reader)),
    cases: cases(junitXml(reader)),
    tags: tagsOf(reportHtml(reader)),
  };
});

describe.each(Object.entries(hostileTexts))('%s in every text of a run', (_, text) => {
  it('mentions no one, refers to nothing and adds no markup in Markdown', () => {
    const markdown = withoutCode(markdownText(withTexts(` ${text}`)));
    expect(markdown.split('\n')).toHaveLength(plain.markdown.split('\n').length);
    expect(markdown).not.toMatch(/@\w|\w@|(?<![\w\\])#\d|(?<!\w)!\d|:\/\/|www\.|mailto:|GH-\d|PROJ-\d|^\//m);
    const tags = (of: string): string[] => [...(of.replace(/\\</g, '').match(/<[^>]*>/g) ?? [])];
    expect(tags(markdown)).toEqual(tags(plain.markdown));
    const links = /!?\[[^\]]*\]\([^)]*\)/;
    expect(markdown.replace(/\\[[\]!()]/g, '')).not.toMatch(links);
  });

  it('adds no case to the JUnit XML, and no tag to the HTML', () => {
    const xml = junitXml(withTexts(text));
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(cases(xml)).toBe(plain.cases);
    expect(new XMLParser().parse(xml)).toHaveProperty('testsuites.testsuite.testcase');
    expect(tagsOf(reportHtml(withTexts(text)))).toBe(plain.tags);
  });
});
