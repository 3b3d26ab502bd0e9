import { execFileSync, spawn } from 'node:child_process';
import { extname, join } from 'node:path';
import { inRoot } from '../setup/paths.mjs';

/**
 * Checks what is about to be committed in the repository of the current folder: format (as staged) and lint (as on the
 * disk) of the staged files. Exit code 1 if something is wrong. Checks that need longer than this are left to `npm run
 * lint`, and named; with the start of git and Node.js a commit waits for at most 5 s. Another limit in ms may be given as
 * an argument.
 */
const limitMs = Number(process.argv[2] ?? 4000);
const startMs = performance.now();

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1e8 });
const top = git('rev-parse', '--show-toplevel').trim();
const staged = git('diff', '--cached', '--name-only', '--diff-filter=ACMR', '-z').split('\0').filter(Boolean);
const stagedText = (file) => git('show', `:${file}`);
const of = (...extensions) => staged.filter((file) => extensions.includes(extname(file)));

/** Rules for components, and one about schemas. */
const byEslint = staged.filter((file) => /\.svelte(\.ts)?$|^src\/contract\/.*\.ts$/.test(file));
const byOxlint = of('.ts', '.mts', '.js', '.mjs', '.cjs').filter((file) => !file.startsWith('agent/'));

const checks = [
  { name: 'prettier', files: staged, check: unformatted, fix: 'npx prettier --write' },
  { name: 'gofmt', files: of('.go'), check: unformattedGo, fix: 'gofmt -w' },
  { name: 'oxlint', files: byOxlint, check: by('oxlint', 'bin', 'oxlint') },
  { name: 'eslint', files: byEslint, check: by('eslint', 'bin', 'eslint.js') },
].filter(({ files }) => files.length > 0);

const unfinished = new Set(checks.map(({ name }) => name));
const faults = [];
const timer = setTimeout(end, limitMs);
await Promise.all(
  checks.map(async ({ name, files, check, fix }) => {
    const output = await check(files);
    unfinished.delete(name);
    if (output.length > 0)
      faults.push(`${name}:\n${output.join('\n')}${fix ? `\nFix: ${fix} ${output.join(' ')}` : ''}`);
  }),
);
clearTimeout(timer);
end();

function end() {
  for (const fault of faults) console.error(fault);
  if (unfinished.size > 0)
    console.error(`Not checked within ${limitMs / 1000} s: ${[...unfinished].join(', ')}. Use npm run lint.`);
  if (faults.length > 0) console.error('Nothing was committed. Stage the fixed files, or use git commit --no-verify.');
  process.exit(faults.length > 0 ? 1 : 0);
}

/** The files that prettier would write differently; those it does not know or is told to ignore are fine. */
async function unformatted(files) {
  const prettier = await import('prettier');
  const ignorePath = join(top, '.prettierignore');
  const isWrong = async (file) => {
    const path = join(top, file);
    const { ignored, inferredParser } = await prettier.getFileInfo(path, { ignorePath });
    if (ignored || inferredParser === null) return false;
    const options = { ...(await prettier.resolveConfig(path)), filepath: path };
    // A text that can't be parsed is no format fault: the linters report it.
    return !(await prettier.check(stagedText(file), options).catch(() => true));
  };
  return filtered(files, isWrong);
}

/** Without Go on this machine nothing is checked, since nothing of it was written here. */
async function unformattedGo(files) {
  return filtered(files, async (file) => (await outputOf('gofmt', ['-l'], stagedText(file))).output !== '');
}

async function filtered(files, isWrong) {
  const wrong = await Promise.all(files.map(isWrong));
  return files.filter((_, index) => wrong[index]);
}

function by(...program) {
  return async (files) => {
    const args = [
      inRoot('node_modules', ...program),
      ...(program[0] === 'oxlint' ? ['--deny-warnings'] : ['--max-warnings', '0']),
    ];
    const { code, output } = await outputOf(process.execPath, [...args, ...files]);
    return code === 0 ? [] : [output.trim()];
  };
}

function outputOf(program, args, input = '') {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: top });
    let output = '';
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (output += text));
    child.on('error', () => resolve({ code: 0, output: '' }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
    // One that could not be started has no input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const leftMs = limitMs - (performance.now() - startMs);
    setTimeout(() => child.kill('SIGKILL'), leftMs).unref();
  });
}
