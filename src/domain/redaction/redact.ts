import { mapTexts, type FieldKind, type FieldPath } from './fields';
import { noteRemoved, stillValue, type FoundValue, type RedactionChoice } from './identifyingValues';
import { Matcher } from './matcher';
import { removed, withoutSecrets } from './patterns';
import { scopeOf } from './programWords';

/** The values to replace: all found ones except those kept. Keys and tokens are always replaced. */
export function chosenValues(found: readonly FoundValue[], choice: RedactionChoice): FoundValue[] {
  const kinds: ReadonlySet<string> = new Set(choice.keepKinds);
  const kept = new Set(choice.keep.map(({ kind, value }) => `${kind}\n${value}`));
  return found.filter(({ kind, value }) => kind === 'secret' || !(kinds.has(kind) || kept.has(`${kind}\n${value}`)));
}

/** Replaces values, consistently by the same pseudonyms. */
export class Redactor {
  private readonly exact = new Map<string, FoundValue>();
  private readonly lower = new Map<string, FoundValue>();
  private readonly matcher = new Matcher<FoundValue>();
  /** Notes are replaced as a whole. */
  private readonly notes = new Map<string, FoundValue>();
  private readonly leftOut = new Set<string>();
  /** Texts already processed, with the replacements in each: thousands of viewer rows repeat the same sentence. */
  private readonly done = new Map<string, { readonly text: string; readonly values: readonly FoundValue[] }>();
  private values: FoundValue[] = [];

  /** `onReplace` is called for every replacement. */
  constructor(
    chosen: readonly FoundValue[],
    private readonly onReplace?: (value: FoundValue) => void,
  ) {
    for (const value of chosen) {
      if (value.kind === 'note') {
        for (const writing of value.writings) this.notes.set(writing, value);
        continue;
      }
      if (value.kind === 'still') {
        this.leftOut.add(value.value);
        continue;
      }
      for (const writing of value.writings) {
        this.exact.set(writing, value);
        if (!this.lower.has(writing.toLowerCase())) this.lower.set(writing.toLowerCase(), value);
        this.matcher.add(writing, scopeOf(writing), value);
      }
    }
  }

  /** A copy of any JSON value; `path` is its position in the run. */
  value(value: unknown, path: FieldPath): unknown {
    return mapTexts(value, path, (text, field) => this.field(text, field));
  }

  /** One text of a field; without a kind a sentence. */
  field(text: string, field: FieldKind = 'text'): string {
    if (field === 'fixed') return text;
    const key = `${field}\n${text}`;
    let done = this.done.get(key);
    if (!done) {
      this.values = [];
      done = { text: this.changed(text, field), values: this.values };
      this.done.set(key, done);
    }
    if (this.onReplace) for (const value of done.values) this.onReplace(value);
    return done.text;
  }

  keepsStill(id: number): boolean {
    return !this.leftOut.has(stillValue(id));
  }

  private changed(text: string, field: FieldKind): string {
    const note = field === 'note' ? this.notes.get(text) : undefined;
    if (note) {
      this.values.push(note);
      return noteRemoved;
    }
    const whole = this.exact.get(text) ?? (field === 'text' ? undefined : this.lower.get(text.toLowerCase()));
    if (whole) {
      this.values.push(whole);
      return whole.becomes;
    }
    if (field === 'secret') return text === '' ? text : removed;
    if (field === 'node' && text.includes(', '))
      return text
        .split(', ')
        .map((name) => this.changed(name, 'node'))
        .join(', ');
    const clean = withoutSecrets(text, (secret) => {
      const value = this.exact.get(secret);
      if (value) this.values.push(value);
    });
    return this.matcher.replace(clean, (match, known) => {
      // Two names that differ only by case are two values.
      const value = this.exact.get(match) ?? known;
      this.values.push(value);
      return value.becomes;
    });
  }
}
