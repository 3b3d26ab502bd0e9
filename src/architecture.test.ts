import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { urlKeys } from './domain/model/addressKeys';

const root = join(__dirname, '..');
const document = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');

/** The files of a numbered list below a heading, in order. */
function wayUnder(heading: string): string[] {
  const section = document.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  return [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file);
}

/** The files of this repository that a file imports. */
function importsOf(file: string): string[] {
  if (!existsSync(join(root, file))) return [];
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/from '(\.[^']+)'/g)].flatMap(([, path = '']) => fileAt(join(dirname(file), path)));
}

/** The file that is imported by this path of the repository, if it is one of ours. */
function fileAt(path: string): string[] {
  const target = relative(root, join(root, path)).replaceAll('\\', '/');
  const found = [target, `${target}.ts`, `${target}/index.ts`].find(
    (each) => /\.\w+$/.test(each) && existsSync(join(root, each)),
  );
  return found === undefined ? [] : [found];
}

/** Whether one imports the other, or both import the same file: the interface or the data between them. */
function areConnected(one: string, other: string): boolean {
  const [ofOne, ofOther] = [importsOf(one), importsOf(other)];
  return ofOne.includes(other) || ofOther.includes(one) || ofOne.some((each) => ofOther.includes(each));
}

describe.each([
  ['Data flow of a sample', 25],
  ['Control flow of a click on Pull', 18],
])('%s', (heading, most) => {
  const way = wayUnder(heading);

  it(`is described in max ${most} files that exist`, () => {
    expect(way.length).toBeGreaterThan(10);
    expect(way.length).toBeLessThanOrEqual(most);
    expect(way.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('leads from each file to the next', () => {
    // The port is between these two; no code connects them.
    const border = new Set(['src/engine/utility.ts', 'src/renderer/client/connection.ts']);
    const broken = way.flatMap((file, place) => {
      const next = way[place + 1];
      if (next === undefined || (border.has(file) && border.has(next)) || areConnected(file, next)) return [];
      return [`${file} -> ${next}`];
    });
    expect(broken).toEqual([]);
  });
});

/** Where the engine's process may wait for a disk, and why this ends no run. */
const waiting: Readonly<Record<string, readonly string[]>> = {
  '/proc and /sys, which are memory': [
    'telemetry/hostReader.ts',
    'telemetry/networkStructure.ts',
    'telemetry/localProcesses.ts',
    'telemetry/ownProcesses.ts',
    'savedRuns/lane.ts',
    'base/lock.ts',
  ],
  'private temporary folders': ['base/tempFolder.ts', 'base/ownFiles.ts', 'base/chromium.ts'],
  'read once, when the engine starts': [
    'parts.ts',
    'savedRuns/quarantine.ts',
    'fleet/testerMeasurements.ts',
    'fleet/fleetFile.ts',
    'consent/knownAddresses.ts',
    'incidents/incidentFile.ts',
    'incidents/ruleFile.ts',
  ],
  'files of the installation': ['links/localAgent.ts', 'links/ssh/upload.ts', 'browsers/viewerPageServer.ts'],
  'settings of SSH and Kubernetes, when a node is connected': [
    'links/ssh/hostKeys.ts',
    'links/ssh/configFile.ts',
    'links/ssh/keyOffers.ts',
    'kubernetes/kubeconfig.ts',
    'base/readTextFile.ts',
  ],
  "the user's families of servers, when a node is added or probed": ['servers/families.ts'],
  'files that a plan names, when it is checked': ['consent/planGate.ts', 'fleet/mediaFiles.ts'],
  'defined for the processes of run files': ['base/program.ts'],
};

describe('the process of the engine', () => {
  it('waits for no disk and no program while a run is active', () => {
    const reached = reachedFrom('src/engine/index.ts');
    expect(reached.size).toBeGreaterThan(500);
    // What opens run files is in other processes.
    expect([...reached].filter((file) => /store\/(library|database|writer)\.ts$/.test(file))).toEqual([]);
    const found = [...reached].filter((file) =>
      /\b(?!deflateRaw|inflateRaw)\w+Sync\b|\boutputNow\(/.test(readFileSync(join(root, file), 'utf8')),
    );
    const known = Object.values(waiting).flatMap((files) => files.map((file) => `src/engine/${file}`));
    expect(found.sort()).toEqual(known.sort());
  });
});

/**
 * The app also runs on the fallback Electron 22, with Node 16.17 and Chrome 108 (`nodeTarget` in vite.shared.mjs). Types
 * and the Node.js of the tests are newer, and the bundler adds no function that is missing there.
 */
describe('the oldest runtime of the app', () => {
  const since = {
    'Chrome 109 or later':
      /\bURL\.canParse\b|\bAbortSignal\.any\b|\bPromise\.withResolvers\b|\b(?:Object|Map)\.groupBy\b|\bArray\.fromAsync\b|\.to(?:Sorted|Reversed|Spliced)\(|\.(?:is|to)WellFormed\(/,
    'Node 17 or later':
      /\bstructuredClone\(|(?<![\w.'`])fetch\(|'node:readline\/promises'|\bnew (?:Blob|FormData|Headers)\(/,
  };
  const without = (files: Iterable<string>, pattern: RegExp): string[] =>
    [...files].filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));

  it('has all functions that its processes call', () => {
    const started = ['src/engine/index.ts', 'src/engine/utility.ts', 'src/main/index.ts', 'src/preload/index.ts'];
    const files = new Set(started.flatMap((file) => [...reachedFrom(file)]));
    expect(files.size).toBeGreaterThan(600);
    expect(without(files, since['Chrome 109 or later'])).toEqual([]);
    expect(without(files, since['Node 17 or later'])).toEqual([]);
  });

  it('has all functions that its window calls', () => {
    const files = readdirSync(join(root, 'src/renderer'), { recursive: true, encoding: 'utf8' })
      .map((file) => join('src/renderer', file))
      .filter((file) => /\.(?:ts|svelte)$/.test(file) && !/\.test\./.test(file));
    expect(files.length).toBeGreaterThan(400);
    expect(without(files, since['Chrome 109 or later'])).toEqual([]);
  });
});

/** All files that a file imports, also by way of others; types alone are not imported. */
function reachedFrom(start: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const next = [start];
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const text = readFileSync(join(root, file), 'utf8')
      .replace(/^(?:import|export) type [^;]*;/gm, '')
      .replace(/^import \{(?:\s*type [^,}]+,?)+\s*\} from [^;]*;/gm, '');
    const paths = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, path = '']) => path);
    next.push(...paths.flatMap((path) => fileAt(join(dirname(file), path))));
  }
  return reached;
}

/**
 * `src/domain/model/protocols.ts` has each address of a protocol once: settings, plan fields, consent, redaction, saved
 * form, forms, checks and detection derive from its row.
 */
describe('addresses of protocols', () => {
  const hasOwnCode = /\.(?:ts|svelte|mjs|go)$/;
  const texts = ['src', 'scripts', 'agent'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file).replaceAll('\\', '/'))
      .filter((file) => hasOwnCode.test(file) && !/[._]test\.|_gen\.|\.gen\./.test(file))
      .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') })),
  );

  it('are listed nowhere else', () => {
    const listsOthers = {
      'addresses that a family of servers has itself': [
        'src/domain/model/serverFamilies.ts',
        'src/engine/servers/nginxRtmp/nginxAddresses.ts',
        'src/engine/servers/srs/srsAddresses.ts',
        'src/engine/servers/srs/srsServer.ts',
        'src/engine/servers/wcs/wcsAddresses.ts',
      ],
      'protocols for publishing': [
        'src/engine/servers/configuredAddresses.ts',
        'src/domain/model/node.ts',
        'src/domain/model/plan.ts',
        'src/domain/model/publishMedia.ts',
        'src/engine/fleet/mediaRelay.ts',
        'src/renderer/features/publish/publishing.svelte.ts',
        'agent/internal/ffmpeg/push/session.go',
      ],
      'probes of a port without HTTP': ['src/engine/servers/generic/detect.ts', 'src/engine/servers/ports.ts'],
      'where addresses have the names of streams': ['src/engine/servers/generic/template.ts'],
      'what the control player plays, and its modules': [
        'src/domain/model/playerProtocols.ts',
        'src/renderer/player/protocols/addressedPlayback.ts',
      ],
      'options that some protocols have': ['src/domain/model/audienceOptions.ts'],
      'words for the search of commands': ['src/renderer/ui/commands/synonyms.ts'],
      'the table': ['src/domain/model/protocols.ts'],
    };
    const anyKey = urlKeys.join('|');
    const named = new RegExp(`['"\`](${anyKey})['"\`]|(?<![\\w$./-])(${anyKey})\\??(?=:\\s)|\\.(${anyKey})\\b`, 'g');
    const lists = texts.filter(({ text }) => {
      const keys = [...text.matchAll(named)].map(([, quoted, property, member]) => quoted ?? property ?? member);
      return new Set(keys).size > 2;
    });
    expect(lists.map(({ file }) => file).sort()).toEqual(Object.values(listsOthers).flat().sort());
  });

  it('that only viewers have, as MJPEG, are in max 5 files besides the package of the protocol', () => {
    const files = texts.filter(({ text }) => /mjpeg/i.test(text)).map(({ file }) => file);
    const isOwn = (file: string): boolean =>
      /^agent\/internal\/httplive\/|\/(?:mjpegPlayback|jpegFrames)\.ts$|\/model\/(?:protocols|playerProtocols)\.ts$/.test(
        file,
      );
    expect(files.filter((file) => !isOwn(file)).sort()).toEqual([
      'agent/internal/audience/protocols.go',
      // The name of a codec of ffmpeg.
      'agent/internal/ffmpeg/packets.go',
      'src/renderer/player/protocols/addressedPlayback.ts',
    ]);
  });

  it('are pulled by agents', () => {
    const namesIn = (file: string, pattern: RegExp): ReadonlyArray<string | undefined> =>
      [...readFileSync(join(root, 'agent', 'internal', file), 'utf8').matchAll(pattern)].map(([, name]) => name).sort();
    const generated = namesIn('protocol/protocol_gen.go', /^\t(PullProtocol\w+) +PullProtocol = /gm);
    expect(generated.length).toBeGreaterThan(10);
    expect(namesIn('audience/protocols.go', /^\t\{name: protocol\.(\w+),/gm)).toEqual(generated);
  });
});

/**
 * A login shell may be csh, fish or none that knows quotes of sh: `startCommand` sends the same line to each, and the
 * command to sh.
 */
describe('commands over SSH', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => join('src', file).replaceAll('\\', '/'))
    .filter((file) => /\.(?:ts|svelte)$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

  it('are sent by one function', () => {
    const opens =
      /\.(?:exec\((?=bootstrapLine)|shell\(\s*[({]|subsys\(|sftp\(|execCommand\(|requestShell\(|requestSFTP\(|putFile|getFile)/g;
    const clients = sources.filter(({ text }) => /from '(?:ssh2|node-ssh)'/.test(text));
    expect(clients.length).toBeGreaterThan(3);
    expect(clients.flatMap(({ file, text }) => [...text.matchAll(opens)].map(([call]) => `${file}: ${call}`))).toEqual([
      'src/engine/links/ssh/remoteCommand.ts: .exec(',
    ]);
    // Patterns have a method of that name, too.
    expect(
      clients.flatMap(({ file, text }) => (/\b(?:client|ssh|connection)\.exec\(/.test(text) ? [file] : [])),
    ).toEqual(['src/engine/links/ssh/remoteCommand.ts']);
  });

  it('are not sent by the ssh program, and its libraries are used by the SSH link only', () => {
    expect(
      sources.filter(
        ({ file, text }) => /from '(?:ssh2|node-ssh)'/.test(text) && !file.startsWith('src/engine/links/ssh/'),
      ),
    ).toEqual([]);
    expect(sources.filter(({ text }) => /startProgram\(\s*'(?:ssh|scp|sftp)'/.test(text))).toEqual([]);
  });
});

describe('exports', () => {
  const sources = ['src', 'tests', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => ['.ts', '.mts', '.mjs', '.svelte'].includes(extname(file)))
      .map((file) => ({ file: join(folder, file), text: readFileSync(join(root, folder, file), 'utf8') })),
  );
  const filesByWord = new Map<string, number>();
  for (const { text } of sources)
    for (const word of new Set(text.match(/[\w$]+/g))) filesByWord.set(word, (filesByWord.get(word) ?? 0) + 1);

  it('of values are used by other files', () => {
    const declared = /^export (?:async )?(?:const|function\*?|class|let) (\w+)/gm;
    const unused = sources
      // The schemas of the contract are a set: the agent's types are generated from it.
      .filter(({ file }) => /^src[\\/](?!contract)/.test(file))
      .flatMap(({ file, text }) =>
        [...text.matchAll(declared)]
          .filter(([, name = '']) => (filesByWord.get(name) ?? 0) < 2)
          .map(([, name]) => `${file}: ${name}`),
      );
    expect(unused).toEqual([]);
  });
});

describe('components', () => {
  it('are imported under the names of their files', () => {
    const files = ['src', 'tests'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => ['.ts', '.svelte'].includes(extname(file)))
        .map((file) => join(folder, file)),
    );
    const renamed = files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/^\s*import (\w+) from '[^']*\/(\w+)\.svelte'/gm)]
        .filter(([, imported, written]) => imported !== written)
        .map(([, imported, written]) => `${file}: ${written} as ${imported}`),
    );
    expect(renamed).toEqual([]);
  });
});

it('lint leaves out folders by their whole path: a name alone would leave out those of the sources, such as engine/runs', () => {
  const { ignorePatterns } = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as {
    ignorePatterns: string[];
  };
  expect(ignorePatterns.filter((pattern) => !pattern.startsWith('/'))).toEqual(['node_modules/']);
});
