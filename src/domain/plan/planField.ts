import { isAlias, isMap, isScalar, isSeq, type Document, type LineCounter, type Node, type Pair } from 'yaml';
import { choices, suggestion } from '../text/closestMatch';
import { shortened } from '../text/shortened';

/** A fault in a plan's text, with its location. `message` contains everything in one sentence. */
export class PlanError extends Error {
  /** The field, e.g. `pull.hold`; empty for the entire text. */
  readonly path: string;
  /** What is wrong and what to do. */
  readonly sentence: string;

  constructor(
    /** From 1; 0 if the fault is not in the text but in a value set from outside. */
    readonly line: number,
    readonly column: number,
    path: string,
    sentence: string,
  ) {
    const where = shortened(path);
    const what = shortened(sentence);
    super(`${line > 0 ? `Line ${line}${where ? ',' : ''}` : '--set'}${where ? ` ${where}` : ''}: ${what}`);
    this.path = where;
    this.sentence = what;
    this.name = 'PlanError';
  }
}

/** Node positions in a text. */
export interface PlanSource {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  /** Warnings on deprecated names in the text. */
  readonly deprecated: string[];
}

/** The new name of a deprecated one; undefined for any other. */
type Renamed = Pick<ReadonlyMap<string, string>, 'get'>;

/** One value of a plan's text with its position, for error messages. */
export class PlanField {
  private readonly node: Node | null;

  constructor(
    private readonly source: PlanSource,
    node: Node | null | undefined,
    readonly path: string,
    /** Offset in the text to report if the value itself has none. */
    private readonly offset: number,
  ) {
    this.node = isAlias(node) ? (node.resolve(source.document) ?? null) : (node ?? null);
    if (isAlias(node) && !this.node) this.fail(`"*${node.source}" has no preceding "&${node.source}".`);
    this.offset = node?.range?.[0] ?? offset;
  }

  fail(sentence: string, offset = this.offset, path = this.path): never {
    const { line, col } = this.source.lines.linePos(offset);
    throw new PlanError(line, col, path, sentence);
  }

  get isList(): boolean {
    return isSeq(this.node);
  }

  get isMap(): boolean {
    return isMap(this.node);
  }

  /**
   * The fields of a map, which may only be `known` ones; any key if `known` is not given. If there are too many to
   * list, `isToo` accepts those without a fixed name and `otherwise` states what is possible. `renamed` contains the
   * new names of deprecated keys.
   */
  map(
    known?: readonly string[],
    {
      isToo,
      otherwise,
      renamed,
    }: {
      readonly isToo?: (name: string) => boolean;
      readonly otherwise?: string;
      readonly renamed?: Renamed;
    } = {},
  ): Map<string, PlanField> {
    const { node } = this;
    if (!isMap(node))
      return this.fail(`This must be a list of "key: value" pairs${known ? `: ${known.join(', ')}` : ''}.`);
    const fields = new Map<string, PlanField>();
    for (const pair of this.pairs(node.items as Pair<Node, Node | null>[])) {
      const { key } = pair;
      const written = isScalar(key) ? String(key.value) : '';
      const offset = key.range?.[0] ?? this.offset;
      const name = this.current(written, renamed, offset, this.pathOf(written));
      if (known && !known.includes(name) && isToo?.(name) !== true)
        this.fail(`"${name}" is not a known field. ${suggestion(name, known, otherwise)}`, offset, this.pathOf(name));
      fields.set(name, new PlanField(this.source, pair.value, this.pathOf(name), offset));
    }
    return fields;
  }

  /** A required field of a map; `what` states what to add. */
  required(fields: ReadonlyMap<string, PlanField>, key: string, what: string): PlanField {
    return fields.get(key) ?? this.fail(`"${key}" is missing. ${what}`, this.offset, this.pathOf(key));
  }

  /** The items of a list, at most `most`. */
  list(what: string, most = Infinity): PlanField[] {
    const { node } = this;
    if (!isSeq(node)) return this.fail(`This must be a list. ${what}`);
    if (node.items.length > most)
      return this.fail(`${node.items.length} items are too many; a plan allows at most ${most}.`);
    return node.items.map((item, i) => new PlanField(this.source, item as Node, this.pathOf(String(i)), this.offset));
  }

  /** The value as written; numbers too, since `60` is a text where a duration is expected. */
  text(what: string): string {
    const { node } = this;
    const value = isScalar(node) ? node.value : undefined;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' && isScalar(node)) return node.source ?? String(value);
    return this.fail(what);
  }

  /** `renamed` contains the new names of deprecated values. */
  oneOf<T extends string>(known: readonly T[], what: string, renamed?: ReadonlyMap<string, T>): T {
    const text = this.current(this.text(`${what} ${choices(known)}`), renamed);
    const match = known.find((choice) => choice === text);
    return match ?? this.fail(`"${text}" is not known. ${suggestion(text, known)}`);
  }

  flag(what: string): boolean {
    const { node } = this;
    const value = isScalar(node) ? node.value : undefined;
    return typeof value === 'boolean' ? value : this.fail(`This must be true or false. ${what}`);
  }

  /** From 1 on. */
  wholeNumber(what: string): number {
    const value = this.count(what);
    return value === 0 ? this.fail(`${value} is too small. ${what}`) : value;
  }

  /** A whole number from 0 on. */
  count(what: string): number {
    const { node } = this;
    const value = isScalar(node) ? node.value : undefined;
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      return this.fail(`This must be a whole number. ${what}`);
    return value < 0 ? this.fail(`${value} is negative. ${what}`) : value;
  }

  /** Any number above 0. */
  positiveNumber(what: string): number {
    const { node } = this;
    const value = isScalar(node) ? node.value : undefined;
    if (typeof value !== 'number' || !Number.isFinite(value)) return this.fail(`This must be a number. ${what}`);
    return value > 0 ? value : this.fail(`${value} is ${value < 0 ? 'negative' : 'too small'}. ${what}`);
  }

  /** The pairs including those of `<<: *anchor`; the map's own have precedence. */
  private pairs(items: readonly Pair<Node, Node | null>[]): Pair<Node, Node | null>[] {
    const isMerge = (pair: Pair<Node, Node | null>): boolean => isScalar(pair.key) && pair.key.value === '<<';
    const merged = items.filter(isMerge).flatMap((pair) => {
      const base = isAlias(pair.value) ? pair.value.resolve(this.source.document) : pair.value;
      if (!isMap(base)) return this.fail('"<<" must be followed by a map, e.g. "<<: *base".', pair.key.range?.[0]);
      return base.items as Pair<Node, Node | null>[];
    });
    return [...merged, ...items.filter((pair) => !isMerge(pair))];
  }

  /** The current name of a key or value, or of a part of one; a deprecated one is a warning. */
  current(name: string, renamed: Renamed | undefined, offset = this.offset, path = this.path): string {
    const now = renamed?.get(name);
    if (now === undefined) return name;
    const { line } = this.source.lines.linePos(offset);
    this.source.deprecated.push(`Line ${line}, ${path}: "${name}" is deprecated. Write "${now}".`);
    return now;
  }

  private pathOf(key: string): string {
    return this.path ? `${this.path}.${key}` : key;
  }
}
