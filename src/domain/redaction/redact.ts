import type { FieldRule } from '../model/fieldRule';
import type { Shape } from './classification';
import { isPublicAddress } from './addresses';
import { addressParts, loginParts } from './fieldParts';
import { blanked, foreignSpans, type TextSpan } from './foreign';
import { noteRemoved, stillValue, type FoundValue, type RedactionChoice } from './identifyingValues';
import { mapTexts } from './mapTexts';
import { Matcher } from './matcher';
import { foreignPartOfSeries, isHardwareWord, isKnownSeries } from './names';
import { removed, secretSpans } from './patterns';
import { isCommonNodeName, scopeOf } from './programWords';
import { isCommonProgram, namedProgram } from './programs';
import {
  addressesIn,
  byStart,
  leftOutText,
  pathRemoved,
  pathsIn,
  publicHost,
  without,
  type Replacement,
} from './replacement';
import { isOwnText, opaque } from './words';

/** The values to replace: all found ones except those kept. Keys and tokens are always replaced. */
export function chosenValues(found: readonly FoundValue[], choice: RedactionChoice): FoundValue[] {
  const kinds: ReadonlySet<string> = new Set(choice.keepKinds);
  const kept = new Set(choice.keep.map(({ kind, value }) => `${kind}\n${value}`));
  return found.filter(({ kind, value }) => kind === 'secret' || !(kinds.has(kind) || kept.has(`${kind}\n${value}`)));
}

export interface RedactorOptions {
  /** Called for every replacement. */
  readonly onReplace?: (value: FoundValue) => void;
  /** Called for every part that is from elsewhere, as it is in the run, with its replacement. */
  readonly onForeign?: (text: string, becomes: string) => void;
  /** The id of the copy. */
  readonly runId?: string;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const reference = /\$(env|secret):[A-Za-z_]\w*/g;
/** Replaces what a copy must not have, consistently by the same pseudonyms. */
export class Redactor {
  private readonly exact = new Map<string, FoundValue>();
  private readonly lower = new Map<string, FoundValue>();
  private readonly matcher = new Matcher<FoundValue>();
  /** Texts that are replaced as a whole, and only where they are: programs, notes, texts from elsewhere. */
  private readonly inPlace = new Map<string, FoundValue>();
  private readonly kept: ReadonlySet<FoundValue>;
  private readonly leftOut = new Set<string>();
  private readonly ids = new Map<string, string>();
  /** Texts already processed, with the replacements in each: thousands of viewer rows repeat the same sentence. */
  private readonly done = new Map<string, { readonly text: string; readonly values: readonly FoundValue[] }>();
  private values: FoundValue[] = [];

  constructor(
    found: readonly FoundValue[],
    choice: RedactionChoice,
    private readonly options: RedactorOptions = {},
  ) {
    const chosen = new Set(chosenValues(found, choice));
    this.kept = new Set(found.filter((value) => !chosen.has(value)));
    for (const value of found) {
      if (value.kind === 'still') {
        if (chosen.has(value)) this.leftOut.add(value.value);
        continue;
      }
      for (const writing of value.writings) {
        if (value.kind === 'note' || value.kind === 'program' || value.kind === 'text') {
          this.inPlace.set(`${value.kind}\n${writing}`, value);
          continue;
        }
        this.exact.set(writing, value);
        if (!this.lower.has(writing.toLowerCase())) this.lower.set(writing.toLowerCase(), value);
        this.matcher.add(writing, scopeOf(writing), value);
      }
    }
  }

  /** A copy of any JSON value. */
  value(value: unknown, shape: Shape): unknown {
    return mapTexts(value, shape, (text, rule) => this.field(text, rule));
  }

  /** One text of a field. */
  field(text: string, rule: FieldRule): string {
    const key = `${rule}\n${text}`;
    let done = this.done.get(key);
    if (!done) {
      this.values = [];
      done = { text: text === '' ? '' : this.changed(text, rule), values: this.values };
      this.done.set(key, done);
    }
    if (this.options.onReplace) for (const value of done.values) this.options.onReplace(value);
    return done.text;
  }

  keepsStill(id: number): boolean {
    return !this.leftOut.has(stillValue(id));
  }

  private changed(text: string, rule: FieldRule): string {
    switch (rule) {
      case 'figure':
        return removed;
      case 'fixed':
        return text.length <= 200 && isOwnText(text) ? text : removed;
      case 'id':
        return this.id(text);
      case 'runId':
        return this.options.runId ?? text;
      case 'secret':
      case 'argument':
        return removed;
      case 'claims':
        return JSON.stringify({ claims: removed });
      case 'reference':
        return text.replace(reference, '$$$1:REMOVED');
      case 'note':
        return this.note(text);
      case 'foreign':
        return this.foreign(text);
      case 'composed':
      case 'reach':
        return this.known(text)?.becomes ?? this.composed(text);
      case 'hardware':
        return this.composed(text, isHardwareWord);
      case 'node':
        return this.nodes(text);
      case 'author':
        return text === 'you' ? text : this.named(text);
      case 'series':
        return this.series(text);
      case 'rule':
      case 'label':
        return isOwnText(text) ? text : this.named(text);
      case 'program':
        return this.program(text);
      case 'machine': {
        const [, prefix = '', host = ''] = /^(host )?(.*)$/s.exec(text) ?? [];
        return isPublicAddress(host) ? text : prefix + this.named(host);
      }
      case 'login':
        return this.known(text)?.becomes ?? this.login(text);
      case 'host':
      case 'address':
        return this.known(text)?.becomes ?? this.address(text);
      case 'source':
        if (isOwnText(text) && !/[/\\]/.test(text)) return text;
        return text.includes('://') ? this.address(text) : this.named(text);
      case 'stream':
      case 'name':
      case 'user':
      case 'file':
        return this.named(text);
    }
  }

  private id(text: string): string {
    if (uuid.test(text)) return text;
    const known = this.ids.get(text) ?? `00000000-0000-4000-8000-${String(this.ids.size + 1).padStart(12, '0')}`;
    this.ids.set(text, known);
    return known;
  }

  /** A value by its exact text; one that is kept becomes itself. */
  private known(text: string): { readonly becomes: string } | undefined {
    const value = this.exact.get(text);
    return value && { becomes: this.replaced(value, text) };
  }

  private named(text: string): string {
    const value = this.exact.get(text) ?? this.lower.get(text.toLowerCase());
    return value ? this.replaced(value, text) : this.composed(text);
  }

  private replaced(value: FoundValue, text: string): string {
    if (this.kept.has(value)) return text;
    this.values.push(value);
    return value.becomes;
  }

  private nodes(text: string): string {
    if (isCommonNodeName(text)) return text;
    if (!this.exact.has(text) && text.includes(', '))
      return text
        .split(', ')
        .map((name) => this.nodes(name))
        .join(', ');
    return this.named(text);
  }

  private series(text: string): string {
    const [, prefix = '', series = ''] = /^(auto:)?(.*)$/s.exec(text) ?? [];
    const foreign = foreignPartOfSeries(series);
    if (!foreign) return isKnownSeries(series) || isOwnText(text) ? text : removed;
    const { before, name, after } = foreign;
    const value = this.exact.get(name);
    return `${prefix}${before}${value ? this.replaced(value, name) : removed}${after}`;
  }

  private program(text: string): string {
    const value = this.inPlace.get(`program\n${text}`);
    if (value) return this.replaced(value, text);
    return isCommonProgram(text) ? text : removed;
  }

  private note(text: string): string {
    const value = this.inPlace.get(`note\n${text}`);
    if (value && this.kept.has(value)) return this.assembled(text, this.withoutValues(text).replacements);
    if (value) this.values.push(value);
    return noteRemoved;
  }

  private foreign(text: string): string {
    const becomes = leftOutText(text);
    this.options.onForeign?.(text, becomes);
    return this.keepsText(text) ? this.assembled(text, this.withoutValues(text).replacements) : becomes;
  }

  private login(text: string): string {
    return text
      .split(',')
      .map((login) => {
        const parts = loginParts(login);
        if (!parts) return this.composed(login);
        const { before, user, host, after } = parts;
        return `${before}${user === undefined ? '' : `${this.user(user)}@`}${this.host(host)}${after}`;
      })
      .join(',');
  }

  private address(text: string): string {
    const parts = addressParts(text);
    if (!parts) return this.composed(text);
    const { scheme, user, password, host, port, path } = parts;
    const login = user === undefined ? '' : `${this.user(user)}${password === undefined ? '' : `:${removed}`}@`;
    return `${scheme}${login}${this.host(host)}${port}${this.path(path)}`;
  }

  private user(text: string): string {
    return this.exact.has(text) ? this.named(text) : isOwnText(text) ? text : removed;
  }

  private host(text: string): string {
    const bare = text.replace(/^\[|\]$/g, '');
    const value = this.exact.get(bare) ?? this.lower.get(bare.toLowerCase());
    if (value) return this.kept.has(value) ? text : this.replaced(value, bare);
    return isPublicAddress(bare) ? text : removed;
  }

  private path(text: string): string {
    if (text === '' || text === '/' || /^\?transport=(?:udp|tcp)$/.test(text)) return text;
    this.options.onForeign?.(text, pathRemoved);
    if (this.keepsText(text)) return this.assembled(text, this.withoutValues(text).replacements);
    return pathRemoved;
  }

  /** Whether a text from elsewhere stays by choice; counts one that does not. */
  private keepsText(text: string): boolean {
    const value = this.inPlace.get(`text\n${text}`);
    if (value && this.kept.has(value)) return true;
    if (value) this.values.push(value);
    return false;
  }

  /** A sentence of the program: without keys and paths, values by their pseudonyms, and without foreign texts. */
  private composed(text: string, isKnown?: (token: string) => boolean): string {
    const { replacements, left } = this.withoutValues(text);
    const cuts = foreignSpans(left, isKnown).flatMap((span): Replacement[] => {
      const part = text.slice(span.start, span.end);
      const becomes = leftOutText(part);
      this.options.onForeign?.(part, becomes);
      return this.keepsText(part) ? [] : [{ ...span, text: becomes, values: [] }];
    });
    return this.assembled(text, [...without(replacements, cuts), ...cuts]);
  }

  private assembled(text: string, replacements: readonly Replacement[]): string {
    let done = '';
    let copied = 0;
    for (const { start, end, text: replacement, values } of [...replacements].sort(byStart)) {
      done += text.slice(copied, start) + replacement;
      copied = end;
      this.values.push(...values);
    }
    return done + text.slice(copied);
  }

  /** What is replaced whoever wrote the text, and the text with these parts `opaque`. */
  private withoutValues(text: string): { readonly replacements: readonly Replacement[]; readonly left: string } {
    let left = text.replaceAll(opaque, '\ufffd');
    let replacements: readonly Replacement[] = [];
    const take = (found: readonly Replacement[], others: readonly TextSpan[] = []): void => {
      // A path goes with the keys in it.
      replacements = without(replacements, [...found].sort(byStart)).concat(found);
      left = blanked(left, [...found, ...others]);
    };
    take(
      secretSpans(left).map(({ start, end }) => {
        const value = this.exact.get(text.slice(start, end));
        return { start, end, text: removed, values: value ? [value] : [] };
      }),
    );
    take(
      [...left.matchAll(reference)].map(({ index, 0: found, 1: kind = '' }) => ({
        ...{ start: index, end: index + found.length, text: `$${kind}:REMOVED`, values: [] },
      })),
    );
    const addresses = addressesIn(text, left);
    const others = addresses.filter(({ isOwn }) => !isOwn);
    take(
      others.flatMap(({ start, end }) => this.pathSpan(text, start, end)),
      [...addresses.filter(({ isOwn }) => isOwn), ...others.flatMap((each) => publicHost(text, each))],
    );
    take(
      [...left.matchAll(namedProgram)].map(({ index, 0: name }) => ({
        ...{ start: index, end: index + name.length, text: this.program(name), values: [] },
      })),
    );
    const matches = this.matcher.matches(left).map((match) => {
      // Two names that differ only by case are two values.
      const value = this.exact.get(text.slice(match.start, match.end)) ?? match.value;
      return { ...match, value };
    });
    take(
      matches
        .filter(({ value }) => !this.kept.has(value))
        .map(({ start, end, value }) => ({ start, end, text: value.becomes, values: [value] })),
      matches.filter(({ value }) => this.kept.has(value)),
    );
    take(pathsIn(left).flatMap(({ start, end }) => this.pathSpan(text, start, end)));
    return { replacements, left };
  }

  /** The span of an address behind host and port. */
  private pathSpan(text: string, from: number, to: number): Replacement[] {
    const address = text.slice(from, to);
    const at = address.startsWith('/') ? 0 : /^[a-z0-9+.-]+:\/\/[^/?#]*/i.exec(address)?.[0].length;
    if (at === undefined || at >= address.length) return [];
    const path = address.slice(at);
    const becomes = this.path(path);
    return becomes === path || becomes !== pathRemoved
      ? []
      : [{ start: from + at, end: to, text: becomes, values: [] }];
  }
}
