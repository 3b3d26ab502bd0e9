import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveEmptyRun } from '../../src/domain/redaction';
import { previewSnapshot, writeSnapshot } from '../../src/engine/export/snapshot';
import { openRunLibrary, type RunLibrary } from '../../src/engine/store';
import { bytesAt, Database } from '../../src/engine/store/database';
import { customerSecrets, keepCustomerRun } from './servers/customerRun';
import { cleanUp, temporaryFolder } from './undo';

let library: RunLibrary;
let folder: string;
let run: string;

beforeEach(() => {
  folder = temporaryFolder();
  library = openRunLibrary(join(folder, 'runs'));
  run = keepCustomerRun(library);
});
afterEach(cleanUp);

/** The complete content of the file: its raw bytes, and every packed block unpacked. */
function bytesOf(path: string): Buffer {
  const database = new Database(path);
  try {
    const blocks = database.rows('SELECT data FROM block').map((row) => inflateRawSync(bytesAt(row, 0)));
    return Buffer.concat([readFileSync(path), ...blocks]);
  } finally {
    database.close();
  }
}

function leftIn(path: string): string[] {
  const bytes = bytesOf(path);
  const texts = [bytes.toString('latin1').toLowerCase(), bytes.toString('utf16le').toLowerCase()];
  return customerSecrets.filter((secret) => texts.some((text) => text.includes(secret.toLowerCase())));
}

describe('a snapshot', () => {
  it('contains no identifying data in any of its bytes, and the same samples', () => {
    expect(leftIn(library.path(run))).toEqual(customerSecrets);
    const path = join(folder, 'snapshot.fullhouse');
    const { bytes, replaced } = writeSnapshot(library, run, saveEmptyRun, path);
    expect(leftIn(path)).toEqual([]);
    expect(bytes).toBeGreaterThan(1000);
    expect(replaced).toBeGreaterThan(8);

    const elsewhere = openRunLibrary(join(folder, 'elsewhere'));
    const copy = elsewhere.open(elsewhere.importFile(path).id);
    const original = library.open(run);
    const column = (reader: typeof copy, node: string) => reader.values(node, 'cpuPercent');
    const [origin] = copy.view().nodes;
    expect(column(copy, origin?.id ?? '')).toEqual(column(original, 'acme-media'));
    expect(copy.events().map(({ sentence }) => sentence)).toEqual([
      'run-1 began.',
      'rtmp://user-1:(removed)@host-2:1935/(path) is silent.',
      '(note removed)',
    ]);
    expect(copy.stills()).toEqual([]);
    const { detail } = copy.viewers(0, 1).viewers[0] ?? {};
    const before = original.viewers(0, 1).viewers[0]?.detail;
    // Steps and streams are not identifying; addresses are.
    expect(detail?.timeline).toEqual(before?.timeline);
    expect(detail?.streams).toEqual(before?.streams);
    expect(detail?.route).toMatchObject({ protocol: 'udp', localType: 'host', remoteType: 'host' });
    expect(detail?.route?.local).toMatch(/^host-\d+:40112$/);
    expect(detail?.route?.remote).toMatch(/^host-\d+:8000$/);
    copy.close();
    original.close();
  });

  it('keeps selected data, and never a token', () => {
    const path = join(folder, 'snapshot.fullhouse');
    writeSnapshot(
      library,
      run,
      { keepKinds: ['still', 'name', 'note'], keep: [{ kind: 'stream', value: 'final-match' }] },
      path,
    );
    const left = leftIn(path);
    expect(left).toContain('final-match');
    expect(left).toContain('picture of the stage');
    expect(left).not.toContain('tok3n-value-9');
    expect(left).not.toContain('hunter2-pass');
    expect(left).not.toContain('APIxyz123key');
  });

  it('lists detected data and its location beforehand', () => {
    const values = previewSnapshot(library, run);
    expect(values.find(({ value }) => value === 'final-match')).toMatchObject({
      kind: 'stream',
      becomes: 'stream-1',
    });
    expect(values.find(({ value }) => value === 'media.acmetv.com')?.parts).toEqual([
      'plan',
      'nodes',
      'failures',
      'verdict',
      'viewers',
      'rest',
    ]);
    expect(JSON.stringify(values)).not.toMatch(/tok3n-value-9|hunter2-pass|APIxyz123key/);
  });
});
