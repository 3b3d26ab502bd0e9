import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chartsFor } from '../domain/charts/charts';
import { streamColumns } from './parts/streams/streamColumns';
import { viewerColumns } from './features/viewers/viewerColumns';

interface Entry {
  readonly term: string;
  readonly meaning: string;
  readonly source: string;
}

const entries: readonly Entry[] = readFileSync('docs/glossary.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (Term|---) /.test(line))
  .map((line) => {
    const [term = '', meaning = '', source = '', ...more] = line.slice(2, -2).split(' | ');
    if (more.length > 0) throw new Error(`More than three columns: ${line}`);
    return { term, meaning, source };
  });

/** Words of labels that need no definition. */
const plainWords = new Set([
  // Statistics and directions beside a term: `CPU max`, `Connect p95`, `Bandwidth out`.
  ...['max', 'min', 'p50', 'p95', 'p99', 'time', 'rate', 'size'],
  // Columns of any table.
  ...['name', 'address', 'role', 'state', 'started', 'age', 'duration', 'can', 'server', 'path', 'remark'],
  ...['rated', 'measured'],
  // Verbs of any command line: `show`, `remove-agent`, `import-prometheus`.
  ...['show', 'remove', 'import', 'history', 'completion', 'help'],
  // A product.
  'grafana',
  // WebRTC counters under their own names.
  ...['lost', 'packets', 'ssrc', 'pt'],
]);

/** Commands of the window that need no term: view, appearance and help. */
const plainCommands = new Set([
  ...['live', 'pause', 'zoomIn', 'zoomOut', 'reset', 'full', 'addChart', 'back', 'on', 'backMark', 'onMark'],
  ...['note', 'still', 'stop', 'console', 'palette', 'settings', 'keys', 'zone', 'theme', 'about'],
]);

/** Sources of definitions; `Fullhouse` defines its own terms. */
const sources =
  /^(Fullhouse|W3C (webrtc-stats|WebRTC)|RFC \d+|draft-ietf-[a-z-]+|ISO\/IEC \d+-\d+|k6( thresholds)?|Locust|JMeter|Gatling|Prometheus( node_exporter)?|Kubernetes|LiveKit|Grafana|OpenJDK|ssh\(1\)|proc\(5\)|tc-netem\(8\)|Adobe RTMP specification|Enhanced RTMP v2 \(Veovera\)|CTA-\d+|ITU-T [A-Z]\.\d+|Netflix libvmaf|[A-Z][a-zé]+(-[A-Z][a-z]+)? et al\. \d{4})$/;

/** Words that the documentation and the window avoid. */
const avoided =
  /\b(gives? out|gave out|mends?|tells?|told|whom|nobody|somebody|home|goodbye|held against|carries|arrives?|arrived|comes|goes|leaves?|is none|is there|as you chose|of its own|has room|what had room|looks? at|kept runs?|made)\b/i;

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
const sourcesBelow = (folder: string, end: RegExp): readonly string[] =>
  filesBelow(folder)
    .filter((file) => end.test(file) && !/\.test\.ts$/.test(file))
    .map((file) => readFileSync(file, 'utf8'));
const matches = (texts: readonly string[], pattern: RegExp): readonly RegExpMatchArray[] =>
  texts.flatMap((text) => [...text.matchAll(pattern)]);

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
/** `viewers` and `viewer`, `connect` and `connected`, `compare` and `comparison` are one word. */
const stem = (word: string): string => word.replace(/(ies|ison|ed|es|s|e|y)$/, '');
const defined = new Set(entries.flatMap(({ term }) => wordsOf(term)).map(stem));
const isDefined = (word: string): boolean => defined.has(stem(word));
const unknownWords = (label: string): readonly string[] =>
  wordsOf(label).filter((word) => !isDefined(word) && !plainWords.has(word));

describe('glossary', () => {
  it('has one line per term, in alphabetical order, each with a known source', () => {
    const terms = entries.map(({ term }) => term.toLowerCase());
    expect(terms.length).toBeGreaterThan(60);
    expect(terms).toEqual([...new Set(terms)].sort());
    expect(entries.filter(({ meaning, source }) => meaning === '' || !sources.test(source))).toEqual([]);
  });

  it('uses no avoided word', () => {
    expect(entries.filter(({ term, meaning }) => avoided.test(`${term} ${meaning}`))).toEqual([]);
  });

  it('defines the terms in chart titles and column titles', () => {
    const windowFiles = sourcesBelow('src/renderer', /\.svelte$/);
    const labels = [
      ...chartsFor({ nodes: [], expect: {}, requested: 0 }).map(({ title }) => title),
      ...Object.values(streamColumns).map(({ title }) => title),
      ...Object.values(viewerColumns).map(({ title }) => title),
      ...matches(windowFiles, /<th[^>]*>([A-Z][^<{]*)/g).map(([, title = '']) => title),
      ...matches(
        windowFiles.filter((text) => text.includes('<thead')),
        /\{ name: '([^']+)', by/g,
      ).map(([, name = '']) => name),
    ];
    expect(labels.length).toBeGreaterThan(30);
    expect(labels.filter((label) => unknownWords(label).length > 0)).toEqual([]);
  });

  it('defines a term of each command in the palette', () => {
    const commands = matches(
      sourcesBelow('src/renderer', /\.ts$/),
      /\b(?:run|charts|window)\(\s*'(\w+)',\s*'([^']+)'/g,
    );
    expect(commands.length).toBeGreaterThan(30);
    const undefinedOnes = commands.filter(
      ([, id = '', title = '']) => !plainCommands.has(id) && !wordsOf(title).some(isDefined),
    );
    expect(undefinedOnes.map(([, id, title]) => `${id}: ${title}`)).toEqual([]);
  });

  it('defines the verbs of the command line', () => {
    const commands = matches([readFileSync('docs/commands.md', 'utf8')], /^## `fullhouse ([a-z-]+)`/gm);
    const verbs = commands.map(([, verb = '']) => verb);
    expect(new Set(verbs).size).toBeGreaterThan(10);
    expect([...new Set(verbs)].filter((verb) => unknownWords(verb).length > 0)).toEqual([]);
  });
});
