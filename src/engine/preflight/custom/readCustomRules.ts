import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FullhouseError } from '../../../contract/calls';
import type { PreflightRule } from '../rule';
import { ruleOf } from './customRule';
import { parseRules } from './ruleFile';
import { reasonOf } from '../../store/failure';

const maxFiles = 200;
const maxBytes = 65_536;

/** A rule file that could not be used, and why. */
export interface RuleFileProblem {
  readonly file: string;
  readonly sentence: string;
}

/**
 * The rules of a folder, in the order of file names. An invalid file is reported and does not affect others; a missing
 * folder has no rules.
 */
export async function readCustomRules(
  folder: string,
): Promise<{ readonly rules: readonly PreflightRule[]; readonly problems: readonly RuleFileProblem[] }> {
  const rules: PreflightRule[] = [];
  const problems: RuleFileProblem[] = [];
  const files = await filesOf(folder);
  for (const file of files.slice(0, maxFiles))
    try {
      const path = join(folder, file);
      const stated = await stat(path);
      if (!stated.isFile()) throw new FullhouseError('bad-rule', `${file} is not a file.`);
      if (stated.size > maxBytes) throw new FullhouseError('bad-rule', `${file}: a rule file is limited to 64 KiB.`);
      for (const customRules of parseRules(await readFile(path, 'utf8'), file)) {
        const rule = ruleOf(customRules);
        if (rules.some(({ id }) => id === rule.id))
          throw new FullhouseError('bad-rule', `${file}: a rule "${customRules.id}" exists already in another file.`);
        rules.push(rule);
      }
    } catch (error) {
      problems.push({ file, sentence: (error as Error).message });
    }
  if (files.length > maxFiles)
    problems.push({
      file: folder,
      sentence: `Only the first ${maxFiles} files of ${folder} are used; it has ${files.length}.`,
    });
  return { rules, problems };
}

async function filesOf(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => /\.(ya?ml|json)$/i.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new FullhouseError('bad-rule', `The rules in ${folder} can't be read: ${reasonOf(error)}.`);
  }
}
