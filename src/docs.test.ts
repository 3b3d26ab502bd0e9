import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseCommand } from './cli/args';
import { checkFamily } from './domain/family/familyFile';
import { alertRules } from './domain/incidents/rules';
import { parsePlan } from './domain/plan/planYaml';
import { catalogue } from './engine/preflight/catalogue';
import { parseRules } from './engine/preflight/custom/ruleFile';

/** Examples, commands, links and paths of the documentation: what a page shows works as it is written. */

const root = join(__dirname, '..');
const inFolder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...inFolder('docs'),
  'build/README.md',
  'agent/README.md',
].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** Fenced blocks of a page, with the rest of the line that opens them, and their line. */
function blocksOf({ path, text }: { path: string; text: string }): { at: string; info: string; body: string }[] {
  return [...text.matchAll(/^( *)```(.*)\n([\s\S]*?)^ *```$/gm)].map(
    ({ index, 1: indent = '', 2: info = '', 3: body = '' }) => ({
      at: `${path}:${text.slice(0, index).split('\n').length}`,
      info,
      body: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}
const blocks = pages.flatMap(blocksOf);

/** Completes a part of a plan; what the part has itself replaces this. */
const base = {
  name: 'Example',
  nodes: {
    origin: {
      server: 'generic',
      whep: 'http://10.0.0.9/whep/{stream}',
      whip: 'http://10.0.0.9/whip/{stream}',
      hls: 'http://10.0.0.9/hls/{stream}.m3u8',
      rtmp: 'rtmp://10.0.0.9/live/{stream}',
    },
    sfu: { server: 'livekit', url: 'http://10.0.0.8:7880', apiKey: 'key' },
    'wcs-2': { tester: 'wcs', url: 'http://10.0.0.13:8081' },
    ...Object.fromEntries(['audience', 'tester-1', 'tester-2'].map((name) => [name, { tester: 'local' }])),
  },
  publish: [],
  pull: { stream: 'cam', from: 'origin', by: ['audience'], viewers: 10, rate: '5/s', hold: '10s' },
};

/** A warning is a fault of an example too, unless it only says what the example leaves out. */
function expectPlan(text: string): void {
  const isExpected = /^Node ".*" is only observed|^This plan does not publish /;
  expect(parsePlan(text).warnings.filter((warning) => !isExpected.test(warning))).toEqual([]);
}

const expectPart = (part: object): void => expectPlan(JSON.stringify({ ...base, ...part }));

/** What the info string of a YAML block promises, as GitHub highlights it by its first word only. */
const yamlKinds: Readonly<Record<string, (body: string) => void>> = {
  yaml: expectPlan,
  'yaml part of a plan': (body) => {
    const part = parse(body) as { readonly nodes?: object };
    expectPart({ ...part, nodes: { ...base.nodes, ...part.nodes } });
  },
  'yaml part of an audience': (body) => {
    expectPart({ pull: { ...base.pull, ...(parse(body) as object) } });
  },
  'yaml preflight rules': (body) => {
    expect(parseRules(body, 'example').length).toBeGreaterThan(0);
  },
  'yaml alert rules': (body) => {
    expect(alertRules.parse(parse(body)).length).toBeGreaterThan(0);
  },
  'yaml family file': (body) => {
    expect(checkFamily(parse(body))).not.toHaveProperty('fault');
  },
  'yaml workflow of GitHub': (body) => {
    const { jobs } = parse(body) as {
      jobs: Record<string, { steps: { uses: string; with?: Record<string, string> }[] }>;
    };
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    const ownSteps = steps.filter(({ uses }) => uses.startsWith('./'));
    expect(ownSteps.length).toBeGreaterThan(0);
    for (const { uses, with: inputs = {} } of ownSteps) {
      const action = parse(readFileSync(join(root, uses, 'action.yml'), 'utf8')) as { inputs: Record<string, unknown> };
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
    }
  },
  'yaml pipeline of GitLab': (body) => {
    const { include, ...jobs } = parse(body) as { include: { local: string } } & Record<
      string,
      { extends: string; variables: Record<string, string> }
    >;
    const template = readFileSync(join(root, 'build', 'ci', 'gitlab.yml'), 'utf8');
    expect(include.local).toBeTruthy();
    for (const job of Object.values(jobs)) {
      expect(parse(template)).toHaveProperty([job.extends]);
      for (const variable of Object.keys(job.variables)) expect(template).toContain(variable);
    }
  },
};

describe('YAML in the documentation', () => {
  const examples = blocks.filter(({ info }) => /^ya?ml\b/.test(info));

  it('is there', () => {
    expect(examples.length).toBeGreaterThan(20);
  });

  it.each(examples)('$at is $info', ({ info, body }) => {
    const check = yamlKinds[info];
    if (!check) throw new Error(`No check for "${info}". Known: ${Object.keys(yamlKinds).join(', ')}.`);
    check(body);
  });
});

/** The words of a line of a shell: quotes and variables are resolved, what follows a comment, redirection or pipe left out. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"])+/g)) {
    if (/^(#|>|\||&&|;|2>)/.test(word)) break;
    if (/^"?\$[A-Z_]+"?$/.test(word)) {
      words.push('https://ci.example/job/1');
      continue;
    }
    words.push(
      word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
    );
  }
  return words;
}

describe('commands in the documentation', () => {
  const isOurs = /^(?:\$ )?(?:npx --no-install )?fullhouse (.+)$/;
  const commands = blocks
    .filter(({ info }) => info === '' || info === 'sh')
    .flatMap(({ at, body }) =>
      body
        .replaceAll(/ \\\n\s*/g, ' ')
        .split('\n')
        .flatMap((line) => {
          const [, args] = isOurs.exec(line.trim()) ?? [];
          return args === undefined ? [] : [{ at, args }];
        }),
    );

  it('are there', () => {
    expect(commands.length).toBeGreaterThan(20);
  });

  it('name commands that exist in sentences too', () => {
    const named = pages.flatMap(({ text }) => [...text.matchAll(/`fullhouse ([a-z][a-z-]*)\b(?! ENGINE-NONCE)/g)]);
    expect(named.length).toBeGreaterThan(20);
    for (const [, command = ''] of named) expect(() => parseCommand([command, '--help']), command).not.toThrow();
  });

  it.each(commands)('$at: fullhouse $args', ({ args }) => {
    expect(() => parseCommand(wordsOf(args))).not.toThrow();
  });
});

/** Text of a page without its blocks and code. */
const proseOf = (text: string): string => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** The fragment that GitHub gives a heading. */
function fragmentOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function fragmentsOf(path: string): ReadonlySet<string> {
  const text = readFileSync(join(root, path), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => fragmentOf(heading));
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]);
}

describe('links in the documentation', () => {
  const links = pages.flatMap(({ path, text }) =>
    [...text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => ({ path, target }))
      .filter(({ target }) => !/^[a-z]+:/.test(target)),
  );

  it('lead to files and headings that exist', () => {
    expect(links.length).toBeGreaterThan(100);
    const broken = links.filter(({ path, target }) => {
      const [file = '', fragment] = target.split('#');
      const to = file === '' ? path : normalize(join(dirname(path), file));
      if (!existsSync(join(root, to))) return true;
      return fragment !== undefined && !fragmentsOf(to).has(fragment);
    });
    expect(broken.map(({ path, target }) => `${path}: ${target}`)).toEqual([]);
  });

  it('lead from docs/README.md to every page', () => {
    const reached = new Set(['docs/README.md']);
    for (const page of reached)
      for (const { path, target } of links)
        if (path === page) reached.add(normalize(join(dirname(path), target.split('#')[0] ?? '')));
    expect(pages.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
  });
});

it('every source of a preflight rule has a publisher whose pages are linked', () => {
  const page = readFileSync(join(root, 'docs', 'preflight.md'), 'utf8');
  const [, table = ''] = /## Sources\n([\s\S]*?)\n## /.exec(page) ?? [];
  const publishers = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, publisher]) => publisher);
  const sources = catalogue.flatMap(({ source }) => source.replaceAll(/\([^)]*\)/g, '').split('; '));
  expect(sources.length).toBeGreaterThan(50);
  // A title without its publisher is a further one of the publisher before it.
  const unknown = sources.filter((source) => source.includes(': ')).map((source) => source.split(': ')[0]);
  expect(unknown.filter((publisher) => !publishers.includes(publisher))).toEqual([]);
});

describe('paths in the documentation', () => {
  it('exist', () => {
    const missing = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:src|agent|scripts|tests|plans|build|docs|assets|\.github|\.vscode)\/[\w./@-]+)`/g)]
        .map(([, file = '']) => file.replace(/[.,]$/, ''))
        .filter((file) => !isGenerated(file) && !existsSync(join(root, file)))
        .map((file) => `${path}: ${file}`),
    );
    expect(missing).toEqual([]);
  });
});

/** Whether a build writes the file, see `.gitignore`; placeholders have capital letters. */
function isGenerated(file: string): boolean {
  return /^build\/(agents|packed-agents|\.cache|THIRD-PARTY)|[A-Z]{4}/.test(file);
}

/** See `docs/glossary.md`: words that no engineer of the field would search for, or that have another meaning in it. */
const avoided = [
  /\bmend(s|ed|ing)?\b/,
  /\bg(ive|ives|ave) out\b/,
  /\bheld against\b/,
  /\bgoodbye\b/,
  /\bsent? home\b/,
  /\bnobody\b/i,
  /\bkept runs?\b/,
  /\bof its own accord\b/,
  /\bnot available in (this|the test) environment\b/,
];

it('no page uses words that the glossary replaces', () => {
  const found = pages.flatMap(({ path, text }) =>
    proseOf(text)
      .split('\n')
      .flatMap((line) =>
        avoided.filter((word) => word.test(line)).map((word) => `${path}: ${String(word)}: ${line.trim()}`),
      ),
  );
  expect(found).toEqual([]);
});

it('every page has one title, and no heading twice', () => {
  const wrong = pages.flatMap(({ path, text }) => {
    const headings = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').match(/^#{1,6} .+$/gm) ?? [];
    const titles = headings.filter((heading) => heading.startsWith('# '));
    const fragments = headings.map((heading) => fragmentOf(heading.replace(/^#+ /, '')));
    const repeated = fragments.filter((fragment, index) => fragments.indexOf(fragment) !== index);
    return titles.length === 1 && repeated.length === 0
      ? []
      : [`${path}: ${titles.length} titles; twice: ${repeated.join()}`];
  });
  expect(wrong).toEqual([]);
});
