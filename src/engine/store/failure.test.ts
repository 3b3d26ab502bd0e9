import { describe, expect, it } from 'vitest';
import { readFailure, reasonOf, writeFailure } from './failure';

const coded = (code: string): Error => Object.assign(new Error(`${code}: raw text`), { code });
const ofDriver = (number: number): Error =>
  new Error(`ConnectionFailed("Unable to open connection to local database /a/b.fullhouse: ${number}")`);

describe('errors of a file', () => {
  it.each<[unknown, string]>([
    [coded('SQLITE_FULL'), 'the disk is full'],
    [coded('ENOSPC'), 'the disk is full'],
    [coded('SQLITE_IOERR_WRITE'), 'the disk reports an error'],
    [coded('SQLITE_READONLY_DBMOVED'), 'the disk is read-only'],
    [coded('EEXIST'), 'a file exists in place of a folder'],
    [ofDriver(14), "the file can't be opened"],
    [ofDriver(8), 'the disk is read-only'],
    [new SyntaxError('Unexpected token } in JSON at position 4'), 'a value in it is not valid JSON'],
    [new Error('It says what it is.'), 'It says what it is'],
  ])('%s has a sentence', (error, words) => {
    expect(reasonOf(error)).toBe(words);
    expect(writeFailure(error, 'The run is not saved').message).toBe(`The run is not saved: ${words}.`);
  });

  it('is not reported as damage if the file could not be opened', () => {
    expect(readFailure(ofDriver(14), 'a.fullhouse')).toMatchObject({
      code: 'run-not-readable',
      message: "a.fullhouse can't be read: the file can't be opened.",
    });
  });
});
