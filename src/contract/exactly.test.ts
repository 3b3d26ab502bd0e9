import { expect, it } from 'vitest';
import { z } from 'zod';
import { exactly } from './exactly';

interface Note {
  readonly text: string;
  readonly marks: ReadonlyArray<{ readonly atMs: number; readonly because?: string }>;
  readonly author?: string;
}
const mark = z.object({ atMs: z.number(), because: z.string().optional() });
const note = z.object({ text: z.string(), marks: z.array(mark), author: z.string().optional() });

it('accepts a schema with all fields of its type', () => {
  expect(exactly<Note>()(note)).toBe(note);
});

it('refuses a schema that lacks an optional field, at any depth, which z.ZodType accepts', () => {
  const withoutAuthor: z.ZodType<Note> = note.omit({ author: true });
  expect(withoutAuthor.parse({ text: '', marks: [], author: 'Ann' })).not.toHaveProperty('author');
  // @ts-expect-error: `author` is missing
  exactly<Note>()(note.omit({ author: true }));
  // @ts-expect-error: `because` of a mark is missing
  exactly<Note>()(note.extend({ marks: z.array(mark.omit({ because: true })) }));
  // @ts-expect-error: `author` has another type
  exactly<Note>()(note.extend({ author: z.number().optional() }));
  // @ts-expect-error: the type has no `colour`
  exactly<Note>()(note.extend({ colour: z.string().optional() }));
});
