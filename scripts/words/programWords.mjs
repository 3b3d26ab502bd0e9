import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { parseSync } from 'vite';

/**
 * The words of the texts that the program itself writes into a run: those of all string literals of its sources. An
 * anonymized copy keeps them; every other word of a text is from elsewhere.
 */

/** This file may be bundled into a configuration elsewhere. */
const rootFrom = (folder) => (existsSync(join(folder, 'package.json')) ? folder : rootFrom(dirname(folder)));
const root = rootFrom(import.meta.dirname);
/** Programs of tests and measurements. */
const skipped = /(\.test\.ts|_test\.go)$|\/(testing|bench|testdata|fixtures|hostile)\//;

/** Texts of systems and libraries that name a state, as common as those of errno. */
const ofSystems = `dial tcp udp lookup read write no such host i/o timeout eof unexpected certificate signed by unknown
  authority has expired or is not yet valid self signed context deadline exceeded canceled tls handshake failure
  unable to verify the first getaddrinfo connect socket hang up client network disconnected before secure connection
  established permission denied publickey password keyboard-interactive exit status signal killed
  the operation was aborted`;

/** Names that many sites use: of headers, and of labels of clusters and metrics. */
const ofProtocols = `authorization cookie referer user-agent accept-language x-forwarded-for x-real-ip
  instance job cluster namespace pod container node device region zone environment
  kubernetes.io/arch kubernetes.io/os kubernetes.io/hostname topology.kubernetes.io/zone topology.kubernetes.io/region
  node.kubernetes.io/instance-type amd64 arm64`;

/**
 * Of the folders that a file lists: `words` in lower case without the signs around them, and `phrases` that a text
 * quotes; sorted, each once.
 */
export function programWords(file) {
  const found = { words: new Set(), phrases: new Set() };
  for (const folder of JSON.parse(readFileSync(file, 'utf8')))
    for (const path of filesOf(join(root, folder)))
      for (const text of extname(path) === '.go' ? goLiterals(path) : scriptLiterals(path)) addLiteral(text, found);
  for (const text of [
    ofSystems,
    ofProtocols,
    ...Object.values(STATUS_CODES),
    ...[...getSystemErrorMap().values()].flat(),
  ])
    addLiteral(text, found);
  return { words: [...found.words].sort(), phrases: [...found.phrases].sort() };
}

function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|svelte|go)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !skipped.test(path));
}

function addLiteral(text, { words, phrases }) {
  for (const [, phrase] of text.matchAll(/["\u201c]([^"\u201c\u201d\n]{1,120})["\u201d]/g))
    if (/\p{L}/u.test(phrase)) phrases.add(phrase.trim().toLowerCase());
  for (const token of text.split(separators)) {
    const bare = token.replace(edges, '').toLowerCase();
    if (/\p{L}/u.test(bare) && bare.length <= 80) words.add(bare);
  }
}

/** As `tokensOf` of `src/domain/redaction/words.ts` reads a text. */
const separators = /[\s=:;,()[\]{}<>"“”‘’«»|!?…·•→↔×'`]+/;
const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

function scriptLiterals(path) {
  const source = readFileSync(path, 'utf8');
  const scripts =
    extname(path) === '.svelte'
      ? [...source.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script)
      : [source];
  return scripts.flatMap((script) => {
    const literals = [];
    visit(parseSync(path.replace(/\.svelte$/, '.ts'), script).program, literals);
    return literals;
  });
}

/** A placeholder ends a word. */
function visit(node, literals) {
  if (Array.isArray(node)) {
    for (const each of node) visit(each, literals);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return;
  if (node.type === 'Literal' && typeof node.value === 'string') literals.push(node.value);
  if (node.type === 'TemplateLiteral') for (const { value } of node.quasis) literals.push(value.cooked ?? value.raw);
  // Keys are words of a run too, and codes by which sentences are chosen.
  if (node.type === 'Property' && node.key.type === 'Identifier') literals.push(node.key.name);
  for (const [key, each] of Object.entries(node)) if (key !== 'type') visit(each, literals);
}

/** Interpreted and raw strings outside of comments; verbs of `fmt` are placeholders. */
function goLiterals(path) {
  const literals = [];
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])+'|"((?:\\.|[^"\\\n])*)"|`([^`]*)`/g;
  for (const [, quoted, raw] of readFileSync(path, 'utf8').matchAll(token)) {
    const text = raw ?? quoted?.replace(/\\[nrt]/g, ' ').replace(/\\(.)/g, '$1');
    if (text !== undefined) literals.push(...text.split(/%[-+# 0]*\d*(?:\.\d+)?[a-zA-Z]/));
  }
  return literals;
}
