import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { JsonFile } from './jsonFile';

const schema = z.object({ theme: z.enum(['dark', 'light']).default('dark') });

describe('JsonFile', () => {
  let folder: string;
  let path: string;
  const problems: string[] = [];
  const open = () => new JsonFile(path, schema, schema.parse({}), (sentence) => problems.push(sentence));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fullhouse-json-'));
    path = join(folder, 'deep', 'settings.json');
    problems.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('starts from the fallback, silently, and saves what is written', () => {
    expect(open().value).toEqual({ theme: 'dark' });
    open().write({ theme: 'light' });
    expect(open().value).toEqual({ theme: 'light' });
    expect(problems).toEqual([]);
  });

  it.each(['{ "theme": ', '{ "theme": "pink" }', ''])(
    'moves %j aside, reports it, and continues with the fallback',
    (text) => {
      open().write({ theme: 'light' });
      writeFileSync(path, text);
      expect(open().value).toEqual({ theme: 'dark' });
      expect(problems).toEqual([expect.stringContaining(path)]);
      expect(readFileSync(`${path}.damaged`, 'utf8')).toBe(text);
      expect(existsSync(path)).toBe(false);
    },
  );
});
