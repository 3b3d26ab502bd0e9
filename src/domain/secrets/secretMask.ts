import { Matcher } from '../redaction/matcher';
import { masked } from '../redaction/patterns';
import { scopeOf } from '../redaction/programWords';
import { addressSecretsIn, maskAddresses } from './addressSecrets';
import { type FieldPath, isIdentifier } from './identifierFields';
import { percentDecoded } from '../text/percentDecoded';

/** A truncated form is still recognised by so many of its first characters. */
const minTruncated = 6;
/** Number of cached masked texts: the same sentence repeats once a second, and for a thousand viewers. */
const maxCached = 2000;

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
 * The secrets that the engine knows. Removes them from any text: as they are, in addresses, JSON and HTML, as base64,
 * and truncated. Secrets in addresses are also recognised by position, so that those of unknown addresses are masked
 * too.
 */
export class SecretMask {
  private readonly known = new Set<string>();
  private readonly matcher = new Matcher<true>();
  private readonly done = new Map<string, string>();
  /** Masked addresses of settings, and their originals. */
  private readonly originals = new Map<string, Set<string>>();

  /** From now on this value is masked everywhere. */
  add(secret: string | undefined): void {
    if (secret === undefined || secret === '' || this.known.has(secret)) return;
    this.known.add(secret);
    this.done.clear();
    for (const form of secretForms(secret)) this.matcher.add(form, scopeOf(form), true);
  }

  /** Whether a text as a whole is a secret. */
  has(text: string): boolean {
    return this.known.has(text);
  }

  /** Adds the secrets of the addresses in a text. */
  addAddresses(text: string): void {
    for (const secret of addressSecretsIn(text)) this.add(secret);
  }

  text(text: string): string {
    const before = this.done.get(text);
    if (before !== undefined) return before;
    const clean = maskAddresses(this.withoutCut(this.matcher.replace(text, () => masked)));
    if (this.done.size >= maxCached) this.done.clear();
    if (text.length < 1000) this.done.set(text, clean);
    return clean;
  }

  /**
   * Any JSON value, with every text of it masked except names and the program's words. Returns the same value if
   * nothing is masked.
   */
  value<T>(value: T, path: FieldPath = []): T {
    return this.masked(value, path) as T;
  }

  /**
   * The original of a masked settings text. A page or a nodes file has only the masked text and sends it back.
   * Undefined if the original is unknown, or ambiguous.
   */
  original(text: string): string | undefined {
    if (!text.includes(masked)) return text;
    const originals = this.originals.get(text);
    return originals?.size === 1 ? [...originals][0] : undefined;
  }

  private masked(value: unknown, path: FieldPath): unknown {
    if (typeof value === 'string') return this.field(value, path);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    if (Array.isArray(value)) {
      // Large arrays of figures contain no text.
      if (typeof value[0] === 'number') return value;
      const each = value.map((item: unknown) => this.masked(item, path));
      return each.some((item, place) => item !== value[place]) ? each : value;
    }
    const before = Object.entries(value);
    const after = before.map(([key, each]): [string, unknown] => [key, this.masked(each, [...path, key])]);
    return after.some(([, each], place) => each !== before[place]?.[1]) ? Object.fromEntries(after) : value;
  }

  private field(text: string, path: FieldPath): string {
    const key = path[path.length - 1] ?? '';
    if (leadSomewhere.has(key) || isIdentifier(path)) return text;
    return isOfSettings(path) ? this.ofSettings(text) : this.text(text);
  }

  /** User texts stay, even if a user is named like a password; only secrets in their addresses are removed. */
  private ofSettings(text: string): string {
    const clean = maskAddresses(text);
    if (clean === text) return text;
    if (this.originals.size > maxCached) this.originals.clear();
    this.originals.set(clean, (this.originals.get(clean) ?? new Set()).add(text));
    return clean;
  }

  /** Responses are quoted up to some length: a secret at that position is truncated. */
  private withoutCut(text: string): string {
    if (this.known.size === 0) return text;
    return text
      .split(/(\u2026|\.\.\.)/)
      .map((part) => {
        const cut = this.matcher.cutAt(part, minTruncated);
        return cut === undefined ? part : `${part.slice(0, cut)}${masked}`;
      })
      .join('');
  }
}

/** Settings of nodes, and what a plan publishes: its source may be an address with a login. */
function isOfSettings(path: FieldPath): boolean {
  if (path[path.length - 1] === 'source' && path[path.length - 2] === 'publish') return true;
  return path.includes('settings') || (path.includes('nodes') && path.includes('plan'));
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Shorter texts are not distinctive. */
const minBase64 = 6;

/**
 * How a secret may appear in a foreign text: as it is, in an address, in JSON or HTML, or within something in
 * base64.
 */
function secretForms(secret: string): string[] {
  const plain = new Set([secret, percentDecoded(secret)]);
  const forms = new Set<string>();
  for (const text of plain) {
    const inAddress = encodeURIComponent(wellFormed(text));
    for (const form of [
      text,
      inAddress,
      encodeURIComponent(inAddress),
      inAddress.replaceAll('%20', '+'),
      encodeURI(wellFormed(text)),
      everyByte(text),
      JSON.stringify(text).slice(1, -1),
      JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
      inHtml(text),
      ...withinBase64(text),
      ...withinBase64(inAddress),
    ])
      forms.add(form);
  }
  return [...forms];
}

/** A lone surrogate can't be encoded in an address. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}

function everyByte(text: string): string {
  return Array.from(utf8(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function inHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/**
 * The base64 characters that depend only on the secret, for each of the three positions at which it may start:
 * `user:secret` differs from `secret`.
 */
function withinBase64(text: string): string[] {
  const bytes = utf8(text);
  return [0, 1, 2].flatMap((before) => {
    const all = base64(new Uint8Array([...new Uint8Array(before), ...bytes]));
    const from = Math.ceil((before * 8) / 6);
    const core = all.slice(from, Math.floor(((before + bytes.length) * 8) / 6));
    if (core.length < minBase64) return [];
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Without TextEncoder, which is not part of the language. */
function utf8(text: string): Uint8Array {
  const signs = encodeURIComponent(wellFormed(text)).match(/%..|./g) ?? [];
  return Uint8Array.from(signs, (sign) =>
    sign.length === 3 ? Number.parseInt(sign.slice(1), 16) : sign.charCodeAt(0),
  );
}

/** Without padding. Also runs in the window, which has no Buffer. */
function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (let place = 0; place < 4; place += 1) text += letters.charAt((three >> (18 - 6 * place)) & 63);
  }
  return text.slice(0, Math.ceil((bytes.length * 8) / 6));
}
