import { isAlias, isMap, isScalar, isSeq, type Document, type LineCounter, type Node, type Pair } from 'yaml';
import { nearest } from '../nearest';
import { shortened } from '../shortened';

/** What is wrong with a plan's text, and where. `message` has it all in one sentence. */
export class PlanError extends Error {
  /** The field, e.g. `pull.hold`; empty for the whole text. */
  readonly path: string;
  /** What is wrong and what to do. */
  readonly sentence: string;

  constructor(
    /** From 1; 0 when the fault is not in a text but in what was set over it. */
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

/** Where a text's nodes lie. */
export interface PlanSource {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

/** One value of a plan's text with its place, so that whoever reads it can say where it is wrong. */
export class PlanField {
  private readonly node: Node | null;

  constructor(
    private readonly source: PlanSource,
    node: Node | null | undefined,
    readonly path: string,
    /** Offset in the text to name when the value itself has none. */
    private readonly offset: number,
  ) {
    this.node = isAlias(node) ? (node.resolve(source.document) ?? null) : (node ?? null);
    if (isAlias(node) && !this.node)
      this.fail(`There is no "&${node.source}" before this "*${node.source}".`);
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
   * The fields of a map, of which only `known` may occur; any key when `known` is not given. Of too many to list, `isToo` knows those without
   * a fixed name and `otherwise` says what is possible.
   */
  map(
    known?: readonly string[],
    { isToo, otherwise }: { readonly isToo?: (name: string) => boolean; readonly otherwise?: string } = {},
  ): Map<string, PlanField> {
    const { node } = this;
    if (!isMap(node))
      return this.fail(`This must be a list of "key: value" pairs${known ? `: ${known.join(', ')}` : ''}.`);
    const fields = new Map<string, PlanField>();
    for (const pair of this.pairs(node.items as Pair<Node, Node | null>[])) {
      const { key } = pair;
      const name = isScalar(key) ? String(key.value) : '';
      const offset = key.range?.[0] ?? this.offset;
      if (known && !known.includes(name) && isToo?.(name) !== true)
        this.fail(
          `"${name}" is not known here. ${suggestion(name, known, otherwise)}`,
          offset,
          this.pathOf(name),
        );
      fields.set(name, new PlanField(this.source, pair.value, this.pathOf(name), offset));
    }
    return fields;
  }

  /** A field that a map must have; `what` says what to add. */
  required(fields: ReadonlyMap<string, PlanField>, key: string, what: string): PlanField {
    return fields.get(key) ?? this.fail(`"${key}" is missing. ${what}`, this.offset, this.pathOf(key));
  }

  /** The items of a list, of which there may be `most`. */
  list(what: string, most = Infinity): PlanField[] {
    const { node } = this;
    if (!isSeq(node)) return this.fail(`This must be a list. ${what}`);
    if (node.items.length > most)
      return this.fail(`There are ${node.items.length} of them; a plan takes at most ${most}.`);
    return node.items.map(
      (item, i) => new PlanField(this.source, item as Node, this.pathOf(String(i)), this.offset),
    );
  }

  /** The value as it was written; numbers too, since `60` is a text where a duration is meant. */
  text(what: string): string {
    const { node } = this;
    const value = isScalar(node) ? node.value : undefined;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' && isScalar(node)) return node.source ?? String(value);
    return this.fail(what);
  }

  oneOf<T extends string>(known: readonly T[], what: string): T {
    const text = this.text(`${what} ${choices(known)}`);
    const found = known.find((each) => each === text);
    return found ?? this.fail(`"${text}" is not known. ${suggestion(text, known)}`);
  }

  flag(what: string): boolean {
    const { node } = this;
    const value = isScalar(node) ? node.value : undefined;
    return typeof value === 'boolean' ? value : this.fail(`This must be true or false. ${what}`);
  }

  /** From 1 on. */
  wholeNumber(what: string): number {
    const value = this.count(what);
    return value === 0 ? this.fail(`${value} is nothing. ${what}`) : value;
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
    if (typeof value !== 'number' || !Number.isFinite(value))
      return this.fail(`This must be a number. ${what}`);
    return value > 0 ? value : this.fail(`${value} is ${value < 0 ? 'negative' : 'nothing'}. ${what}`);
  }

  /** The pairs with those that `<<: *anchor` brings in, which give way to the map's own. */
  private pairs(items: readonly Pair<Node, Node | null>[]): Pair<Node, Node | null>[] {
    const isMerge = (pair: Pair<Node, Node | null>): boolean => isScalar(pair.key) && pair.key.value === '<<';
    const merged = items.filter(isMerge).flatMap((pair) => {
      const base = isAlias(pair.value) ? pair.value.resolve(this.source.document) : pair.value;
      if (!isMap(base))
        return this.fail('"<<" must be followed by a map, e.g. "<<: *base".', pair.key.range?.[0]);
      return base.items as Pair<Node, Node | null>[];
    });
    return [...merged, ...items.filter((pair) => !isMerge(pair))];
  }

  private pathOf(key: string): string {
    return this.path ? `${this.path}.${key}` : key;
  }
}

function choices(known: readonly string[]): string {
  return `Possible: ${known.join(', ')}.`;
}

/** What somebody may have meant, else all that is possible: `otherwise` where that is too much to list. */
export function suggestion(word: string, known: readonly string[], otherwise = choices(known)): string {
  const meant = nearest(word, known);
  return meant ? `Did you mean "${meant}"?` : otherwise;
}
