import { run } from '../setup/command.mjs';
import { SetupProblem } from '../setup/problem.mjs';

const dayS = 24 * 3600;

/**
 * What changed since a commit: by default the newest one that is over a day older than the last, so that a fresh clone of
 * the same commit decides alike, on any day. Work that is not committed belongs to the change.
 * @param {string} [base] a commit
 * @param {{ cwd?: string }} [options] a folder in the clone
 * @returns {Promise<{ since: string, paths: string[] } | { unknown: string }>} `since`: the base in words; `unknown`:
 *   why the change can't be known. Throws a `SetupProblem` for a commit that does not exist.
 */
export async function changeSince(base, { cwd } = {}) {
  const git = async (...args) => {
    const { code, stdout } = await run('git', args, { cwd });
    return code === 0 ? stdout : undefined;
  };
  const lastCommitS = Number(await git('log', '-1', '--format=%ct'));
  if (!lastCommitS) return { unknown: 'This is no clone of a git repository with commits.' };
  if (base === undefined && (await git('rev-parse', '--is-shallow-repository'))?.trim() !== 'false')
    return { unknown: 'This clone is shallow: the commit of a day ago may be missing.' };
  const commit =
    base === undefined
      ? await git('rev-list', '-1', `--before=${lastCommitS - dayS}`, 'HEAD')
      : await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`);
  const hash = commit?.trim();
  if (!hash && base !== undefined) throw new SetupProblem(`There is no commit "${base}" in this clone.`);
  if (!hash) return { unknown: 'No commit is a day older than the last one.' };
  // With --no-renames a moved file is changed at both places.
  const changed = await git('diff', '--name-only', '--no-renames', '-z', hash);
  const added = await git('ls-files', '--others', '--exclude-standard', '--full-name', '-z', ':/');
  if (changed === undefined || added === undefined) return { unknown: 'git can not compare with that commit.' };
  const since = (await git('log', '-1', '--format=%h of %cs (%s)', hash))?.trim() ?? hash;
  return { since, paths: `${changed}${added}`.split('\0').filter((path) => path !== '') };
}
