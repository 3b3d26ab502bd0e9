import { describe, expect, it } from 'vitest';
import { runFilesIn, safeFileName } from './runFiles';

describe('runFilesIn', () => {
  const everything = (): boolean => true;

  it('finds run files among switches and other words', () => {
    const args = [
      '/opt/fullhouse',
      '--no-sandbox',
      'notes.txt',
      'monday.fullhouse',
      '/data/B.FULLHOUSE',
      '--x.fullhouse',
    ];
    expect(runFilesIn(args, '/home/qa', everything)).toEqual(['/home/qa/monday.fullhouse', '/data/B.FULLHOUSE']);
  });

  it('finds files that a desktop passes as URLs', () => {
    const args = ['file:///data/my%20run.fullhouse', 'file://other.example/run.fullhouse', 'file:///notes.txt'];
    expect(runFilesIn(args, '/home/qa', everything)).toEqual(['/data/my run.fullhouse']);
  });

  it('skips missing files', () => {
    expect(runFilesIn(['gone.fullhouse'], '/home/qa', () => false)).toEqual([]);
  });
});

describe('safeFileName', () => {
  it.each([
    ['Pull 1000 on the local lab', 'Pull 1000 on the local lab.html'],
    ['a/b\\c:d', 'a-b-c-d.html'],
    ['../../etc/passwd', '-..-etc-passwd.html'],
    ['already.html', 'already.html'],
    ['...', 'run.html'],
    ['line\nbreak', 'line-break.html'],
    ['gpj.\u202eexe', 'gpj.-exe.html'],
    ['a\u200bb\u009bc\u007f', 'a-b-c-.html'],
    ['NUL', 'NUL-.html'],
    ['Zürich 東京', 'Zürich 東京.html'],
  ])('makes %j into %j', (suggested, name) => {
    expect(safeFileName(suggested, '.html')).toBe(name);
  });
});
