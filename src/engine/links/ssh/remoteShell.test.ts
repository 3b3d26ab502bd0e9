import { describe, expect, it } from 'vitest';
import { LineSplitter } from './lineSplitter';
import { OutputAfterMark } from './preamble';
import { uploadFailure } from './upload';

describe("a shell's output", () => {
  it('starts at the mark, at any chunk boundaries', () => {
    const text = Buffer.from('noise without enda-mark 42\nown\noutput');
    for (let cut = 0; cut <= text.length; cut += 1) {
      const after = new OutputAfterMark('a-mark');
      const out = Buffer.concat([after.take(text.subarray(0, cut)), after.take(text.subarray(cut))]);
      expect(out.toString()).toBe('own\noutput');
      expect(after).toMatchObject({ seen: true, pid: 42 });
    }
  });

  it('is kept as the reason without a mark', () => {
    const after = new OutputAfterMark('a-mark');
    expect(after.take(Buffer.from('not available')).length).toBe(0);
    expect(after).toMatchObject({ seen: false, noise: 'not available', pid: undefined });
  });

  it('is split into lines of text, at any chunk boundaries', () => {
    const text = Buffer.from('one\r\ntwö\n\nthree');
    for (let cut = 0; cut <= text.length; cut += 1) {
      const lines: string[] = [];
      const splitter = new LineSplitter(
        (line) => lines.push(line),
        100,
        () => undefined,
      );
      splitter.push(text.subarray(0, cut));
      splitter.push(text.subarray(cut));
      splitter.finish();
      expect(lines).toEqual(['one', 'twö', '', 'three']);
    }
  });

  it('has no unterminated line', () => {
    let complaints = 0;
    const splitter = new LineSplitter(
      () => undefined,
      10,
      () => (complaints += 1),
    );
    splitter.push(Buffer.from('12345678901'));
    expect(complaints).toBe(1);
  });
});

describe('an upload that failed', () => {
  it.each([
    ['cat: write error: No space left on device', 1, 'disk-full'],
    ['cat: write error: Disk quota exceeded', 1, 'disk-full'],
    ['sh: 2: cannot create /x: Read-only file system', 2, 'read-only'],
    ['sh: 2: cannot create /x: Permission denied', 2, 'no-permission'],
    ['sh: 2: cannot create /x: Directory nonexistent', 2, 'no-folder'],
    ['the file arrived incomplete', 1, 'upload'],
    ['', null, 'link-lost'],
  ])('maps "%s" to its error', (stderr, code, expected) => {
    const error = uploadFailure('tester-2', '/x', { code, stdout: '', stderr });
    expect(error.code).toBe(expected);
    expect(error.message).toMatch(/^tester-2: .*\/x/);
  });
});
