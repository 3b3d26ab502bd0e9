import { mapTexts, type FieldKind, type FieldPath } from './fields';
import { noteRemoved, stillValue, type FoundValue, type RedactionChoice } from './found';
import { removed, withoutSecrets } from './patterns';
import { reachOf } from './words';

/** Signs after which, and before which, a short name can mean nothing else than the name. */
const before = '["\'\u201c\u2018`/@=]';
const after = '(?:["\'\u201d\u2019`/?&@:]|$)';

/** What is replaced: all that was found, less what the choice keeps. Keys and tokens always are. */
export function chosenValues(found: readonly FoundValue[], choice: RedactionChoice): FoundValue[] {
  const kinds: ReadonlySet<string> = new Set(choice.keepKinds);
  const kept = new Set(choice.keep.map(({ kind, value }) => `${kind}\n${value}`));
  return found.filter(
    ({ kind, value }) => kind === 'secret' || !(kinds.has(kind) || kept.has(`${kind}\n${value}`)),
  );
}

/** Replaces values, the same ones everywhere by the same pseudonyms. */
export class Redactor {
  private readonly exact = new Map<string, FoundValue>();
  private readonly lower = new Map<string, FoundValue>();
  private readonly pattern: RegExp | undefined;
  /** Notes are replaced whole, whatever they say. */
  private readonly notes = new Map<string, FoundValue>();
  private readonly leftOut = new Set<string>();
  private readonly done = new Map<string, string>();

  /** `onReplace` hears of every single replacement; without it texts that come again are not looked at again. */
  constructor(
    chosen: readonly FoundValue[],
    private readonly onReplace?: (value: FoundValue) => void,
  ) {
    const written: string[] = [];
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
        written.push(writing);
      }
    }
    const alternatives = [...new Set(written)].sort((a, b) => b.length - a.length).map(alternative);
    if (alternatives.length > 0) this.pattern = new RegExp(alternatives.join('|'), 'gi');
  }

  /** A copy of anything that JSON can say; `path` names where it stands in the run. */
  value(value: unknown, path: FieldPath): unknown {
    return mapTexts(value, path, (text, field) => this.field(text, field));
  }

  /** One text of a field; without a kind a sentence. */
  field(text: string, field: FieldKind = 'text'): string {
    if (field === 'fixed') return text;
    if (this.onReplace) return this.changed(text, field);
    const key = `${field}\n${text}`;
    let done = this.done.get(key);
    if (done === undefined) {
      done = this.changed(text, field);
      this.done.set(key, done);
    }
    return done;
  }

  keepsStill(id: number): boolean {
    return !this.leftOut.has(stillValue(id));
  }

  private changed(text: string, field: FieldKind): string {
    const note = field === 'note' ? this.notes.get(text) : undefined;
    if (note) {
      this.onReplace?.(note);
      return noteRemoved;
    }
    const whole = this.exact.get(text) ?? (field === 'text' ? undefined : this.lower.get(text.toLowerCase()));
    if (whole) {
      this.onReplace?.(whole);
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
      if (value) this.onReplace?.(value);
    });
    if (!this.pattern) return clean;
    return clean.replace(this.pattern, (match) => {
      const value = this.exact.get(match) ?? this.lower.get(match.toLowerCase());
      if (!value) return match;
      this.onReplace?.(value);
      return value.becomes;
    });
  }
}

function alternative(writing: string): string {
  const escaped = writing.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  switch (reachOf(writing)) {
    case 'anywhere':
      return escaped;
    case 'word':
      return /^\d/.test(writing) || writing.includes(':')
        ? `(?<![0-9a-z])(?<!\\d\\.)${escaped}(?![0-9a-z]|\\.\\d)`
        : `(?<![0-9a-z])${escaped}(?![0-9a-z])`;
    case 'place':
      return `(?<=${before})${escaped}(?=${after})`;
  }
}
