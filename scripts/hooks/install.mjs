import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { inRoot, root } from '../setup/paths.mjs';

/**
 * `npm run hooks` has git run the hooks of `.githooks` in this clone and its worktrees, `npm run hooks -- off` no more. Never
 * done by setup: a clone of somebody who reads or tests has the hooks that its owner chose.
 */
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const isOff = process.argv[2] === 'off';
const before = (() => {
  try {
    return git('config', '--local', 'core.hooksPath');
  } catch {
    return '';
  }
})();

if (before !== '' && before !== '.githooks') {
  console.error(
    `This clone has hooks of its own in ${before}, so nothing was changed. Call .githooks/pre-commit from there.`,
  );
  process.exitCode = 1;
} else if (isOff) {
  if (before !== '') git('config', '--local', '--unset', 'core.hooksPath');
  console.log('git runs no hooks of this project.');
} else if (!existsSync(inRoot('node_modules', 'prettier'))) {
  console.error('The checks need the npm packages, which are not installed: call "npm ci" first.');
  process.exitCode = 1;
} else {
  git('config', '--local', 'core.hooksPath', '.githooks');
  console.log('Before each commit the format and lint of the staged files are checked, for at most 5 s.');
}
