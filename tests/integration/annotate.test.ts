import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveEmptyRun } from '../../src/domain/redaction';
import { Annotator } from '../../src/engine/export/annotate';
import { writeSnapshot } from '../../src/engine/export/snapshot';
import { openRunLibrary, type RunLibrary } from '../../src/engine/store';
import { testStartMs } from '../support/savedRun';
import { keepCustomerRun } from './servers/customerRun';
import { cleanUp, temporaryFolder } from './undo';

interface Installation {
  readonly library: RunLibrary;
  readonly notes: Annotator;
}

let folder: string;
let customer: Installation;
let support: Installation;
let run: string;
let nowMs: number;

function installation(name: string): Installation {
  const library = openRunLibrary(join(folder, name));
  return { library, notes: new Annotator(library, () => (nowMs += 1000)) };
}

beforeEach(() => {
  folder = temporaryFolder();
  nowMs = testStartMs + 86_400_000;
  customer = installation('customer');
  support = installation('support');
  run = keepCustomerRun(customer.library);
});
afterEach(cleanUp);

/** The notes as shown to the user, in order of time. */
function notesOf({ library, notes }: Installation, id: string): string[] {
  const reader = library.open(id);
  try {
    return notes
      .marked(reader.events())
      .filter(({ kind }) => kind === 'note')
      .map(({ who, sentence, annotation }) => `${who}: ${sentence}${annotation?.isOwn ? ' (own)' : ''}`);
  } finally {
    reader.close();
  }
}

/** Transfers a run as a file between two installations. */
function send(from: Installation, id: string, to: Installation): { id: string; isSnapshot?: boolean; news?: string } {
  const path = join(folder, 'sent.fullhouse');
  from.library.exportFile(id, path);
  const { id: there, outcome: news, isSnapshot } = to.library.importFile(path);
  return { id: there, news, ...(isSnapshot ? { isSnapshot } : {}) };
}

const at = (seconds: number): number => testStartMs + seconds * 1000;

describe('notes to a saved run', () => {
  it('are exchanged with support, each with its author, and leave the samples unchanged', () => {
    customer.notes.write(run, { text: 'Here it began', timeMs: at(40) });
    const sent = send(customer, run, support);
    expect(sent).toEqual({ id: run, news: undefined });
    support.notes.write(sent.id, { text: 'The heap is full here', timeMs: at(30), author: 'Sam' });
    support.notes.write(sent.id, { text: 'And here again', timeMs: at(80), author: 'Sam' });
    const back = send(support, sent.id, customer);
    expect(back).toEqual({ id: run, news: '2 notes were added to the existing run.' });
    expect(notesOf(customer, run)).toEqual([
      'you: The boss of Acme watched',
      'Sam: The heap is full here',
      'you: Here it began (own)',
      'Sam: And here again',
    ]);
    expect(send(support, run, customer).news).toBe('This run already exists, and the file contains nothing new.');
    const values = (each: Installation) => {
      const reader = each.library.open(run);
      const { value } = reader.values('acme-media', 'cpuPercent');
      reader.close();
      return value;
    };
    expect(values(customer)).toEqual(values(support));
    expect(values(customer)).toHaveLength(90);
  });

  it('are merged from an anonymized copy into the original run', () => {
    const path = join(folder, 'snapshot.fullhouse');
    writeSnapshot(customer.library, run, saveEmptyRun, path);
    const copy = support.library.importFile(path);
    expect(copy.name).toBe('run-1');
    support.notes.write(copy.id, { text: 'host-1 is too small', timeMs: at(30), author: 'Sam' });
    expect(send(support, copy.id, customer)).toEqual({
      id: run,
      news: '1 note was added to the existing run.',
      isSnapshot: true,
    });
    expect(customer.library.list().map(({ name, note }) => [name, note])).toEqual([
      ['Acme before the final', 'Asked by jane.doe of acmetv'],
    ]);
    expect(notesOf(customer, run)).toContain('Sam: host-1 is too small');
  });

  it('can be changed and removed by their author only, and stay removed', () => {
    const mine = customer.notes.write(run, { text: 'Mine', timeMs: at(10) }).annotation?.uid ?? '';
    send(customer, run, support);
    expect(() => support.notes.edit(run, mine, 'Theirs')).toThrow(/Only its author can change a note/);
    expect(() => support.notes.remove(run, mine)).toThrow(/Only its author can change a note/);
    customer.notes.edit(run, mine, 'Mine, in other words');
    expect(send(customer, run, support).news).toBe('1 note was changed in the existing run.');
    expect(notesOf(support, run)).toContain('you: Mine, in other words');

    customer.notes.remove(run, mine);
    expect(notesOf(customer, run)).toEqual(['you: The boss of Acme watched']);
    expect(readFileSync(customer.library.path(run)).includes('in other words')).toBe(false);
    expect(send(support, run, customer).news).toBe('This run already exists, and the file contains nothing new.');
    expect(notesOf(customer, run)).toEqual(['you: The boss of Acme watched']);
    customer.notes.edit(run, mine, 'Mine again');
    expect(notesOf(customer, run)).toContain('you: Mine again (own)');
  });

  it('have a time within the run', () => {
    expect(() => customer.notes.write(run, { text: 'Later', timeMs: at(1000) })).toThrow(/not within the run/);
    expect(() => customer.notes.edit(run, 'nobody', 'x')).toThrow(/no longer contains this note/);
  });
});
