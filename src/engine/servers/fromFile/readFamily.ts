import { basename } from 'node:path';
import { checkFamily, type FamilyFile } from '../../../domain/family/familyFile';
import { isFamilyName } from '../../../domain/model/serverFamilies';
import { planDocument } from '../../../domain/plan/planDocument';
import { shortened } from '../../../domain/text/shortened';
import { FullhouseError } from '../../../contract/calls';
import { readTextFile } from '../../base/readTextFile';
import { expanded } from '../../base/expandedPath';
import { reasonNotRead } from '../../store/failure';

const maxFamilyBytes = 65_536;

/** A family from the text of its file. Throws `bad-family` with one sentence about the first fault. */
function parseFamily(text: string, file: string): FamilyFile {
  const refuse = (what: string): FullhouseError =>
    new FullhouseError('bad-family', `The family file ${file} can't be used: ${shortened(what)}`);
  const family = basename(file).replace(/\.ya?ml$/i, '');
  if (!isFamilyName(family))
    throw refuse('its name is that of the family: lower-case letters, digits and "-", then .yaml.');
  let content: unknown;
  try {
    content = planDocument(text, 'a family file').document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw refuse((error as Error).message.split('\n')[0] ?? '');
  }
  const checked = checkFamily(content);
  if ('fault' in checked) throw refuse(checked.fault);
  return { ...checked.rules, family };
}

/** Reads the file of a family. Throws `no-family` or `bad-family`, one sentence. */
export function readFamilyFile(path: string): FamilyFile {
  let text: string;
  try {
    text = readTextFile(expanded(path), maxFamilyBytes);
  } catch (error) {
    throw new FullhouseError(
      'no-family',
      `The family file ${path} can't be read: ${reasonNotRead(error)}. Correct its path.`,
      { cause: error },
    );
  }
  return parseFamily(text, path);
}
