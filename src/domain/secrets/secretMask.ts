import { fieldKind, type FieldKind, type FieldPath } from '../redaction/fields';
import { Matcher } from '../redaction/matcher';
import { masked } from '../redaction/patterns';
import { reachOf } from '../redaction/words';
import { addressSecretsIn, maskAddresses } from './addressSecrets';
import { secretForms } from './secretForms';

/** A form that was cut off is still recognised by so many of its first characters. */
const leastOfCut = 6;
/** Texts whose masked form is remembered: the same sentence comes once a second, and of a thousand viewers. */
const mostRemembered = 2000;

/** Fields that lead to something: a name in which a part was masked would lead nowhere. */
const namesOfThings: ReadonlySet<FieldKind> = new Set<FieldKind>(['fixed', 'node', 'stream', 'runId']);
const leadSomewhere: ReadonlySet<string> = new Set([
  'path',
  'runsFolder',
  'runFile',
  'file',
  'keyFile',
  'session',
  'job',
]);

/**
 * * The secrets that the engine knows, and every text without them: as they are, as they stand in addresses, JSON and
 * HTML, as base64, and cut off. Secrets in addresses are recognised by their place as well, so that those of unknown
 * addresses are masked too.
 */
export class SecretMask {
  private readonly known = new Set<string>();
  private readonly matcher = new Matcher<true>();
  private readonly done = new Map<string, string>();
  /** Masked addresses of settings, and what they stand for. */
  private readonly originals = new Map<string, Set<string>>();

  /** From now on this value is masked wherever it stands. */
  add(secret: string | undefined): void {
    if (secret === undefined || secret === '' || this.known.has(secret)) return;
    this.known.add(secret);
    this.done.clear();
    for (const form of secretForms(secret)) this.matcher.add(form, reachOf(form), true);
  }

  /** Learns the secrets of the addresses in a text. */
  addAddresses(text: string): void {
    for (const secret of addressSecretsIn(text)) this.add(secret);
  }

  text(text: string): string {
    const before = this.done.get(text);
    if (before !== undefined) return before;
    const clean = maskAddresses(this.withoutCut(this.matcher.replace(text, () => masked)));
    if (this.done.size >= mostRemembered) this.done.clear();
    if (text.length < 1000) this.done.set(text, clean);
    return clean;
  }

  /**
   * Anything that JSON can say, with every text of it masked but names and words of the program. The value itself
   * when nothing is masked.
   */
  value<T>(value: T, path: FieldPath = []): T {
    return this.masked(value, path, undefined) as T;
  }

  /**
   * * A text of settings as it was before it was masked. A page or a file of nodes holds the masked text only and
   * hands it back. Undefined when what it stood for is not known, or no longer sure.
   */
  original(text: string): string | undefined {
    if (!text.includes(masked)) return text;
    const originals = this.originals.get(text);
    return originals?.size === 1 ? [...originals][0] : undefined;
  }

  private masked(value: unknown, path: FieldPath, parent: unknown): unknown {
    if (typeof value === 'string') return this.field(value, path, parent);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    if (Array.isArray(value)) {
      // Figures by the hundred thousand hold no text.
      if (typeof value[0] === 'number') return value;
      const each = value.map((item: unknown) => this.masked(item, path, value));
      return each.some((item, place) => item !== value[place]) ? each : value;
    }
    const before = Object.entries(value);
    const after = before.map(([key, each]): [string, unknown] => [
      key,
      this.masked(each, [...path, key], value),
    ]);
    return after.some(([, each], place) => each !== before[place]?.[1]) ? Object.fromEntries(after) : value;
  }

  private field(text: string, path: FieldPath, parent: unknown): string {
    const key = path[path.length - 1] ?? '';
    if (leadSomewhere.has(key) || namesOfThings.has(fieldKind(path, parent))) return text;
    return isOfSettings(path) ? this.ofSettings(text) : this.text(text);
  }

  /** What a person wrote stays, a user named like a password too; only its addresses lose what is secret in them. */
  private ofSettings(text: string): string {
    const clean = maskAddresses(text);
    if (clean === text) return text;
    if (this.originals.size > mostRemembered) this.originals.clear();
    this.originals.set(clean, (this.originals.get(clean) ?? new Set()).add(text));
    return clean;
  }

  /** Answers are quoted up to some length: a secret at that place has lost its end. */
  private withoutCut(text: string): string {
    if (this.known.size === 0) return text;
    return text
      .split(/(\u2026|\.\.\.)/)
      .map((part) => {
        const cut = this.matcher.cutAt(part, leastOfCut);
        return cut === undefined ? part : `${part.slice(0, cut)}${masked}`;
      })
      .join('');
  }
}

function isOfSettings(path: FieldPath): boolean {
  return path.includes('settings') || (path.includes('nodes') && path.includes('plan'));
}
