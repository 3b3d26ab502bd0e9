import { nameFault, normalText } from '../../text/humanText';
import type { PlanField } from '../planField';
import { nodeName, nodeNameFault, nodeNameJson, streamName } from '../planNames';
import { readBitrate, readDuration, readPercent, readRate, readTime } from '../planQuantities';
import { writeBitrate, writeDuration, writeRate } from '../quantity';
import { elementSize } from '../pullRules';
import { longestStreamName, streamNameFault } from '../streamName';
import { list, scalar } from '../yamlText';

/** A JSON Schema (2020-12) of a value as written in YAML. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Which values of a plan are valid once read, for the schemas at borders and for forms. */
export type Bounds =
  | {
      readonly is: 'number';
      readonly unit?: 'ms' | '%' | '/s' | 'kbit/s';
      readonly isWhole?: boolean;
      readonly min?: number;
      /** The value is greater than this. */
      readonly above?: number;
      readonly max?: number;
    }
  | { readonly is: 'text'; readonly max?: number; readonly faultOf?: (text: string) => string | undefined }
  | { readonly is: 'flag' }
  | { readonly is: 'choice'; readonly of: readonly string[] }
  | { readonly is: 'list'; readonly of: Bounds; readonly min?: number; readonly max?: number }
  | { readonly is: 'other'; readonly name: 'queries' | 'headers' | 'labels' | 'program' | 'address' }
  | { readonly is: 'fields'; readonly of: FieldKinds }
  | { readonly is: 'oneOf'; readonly tag: string; readonly of: Readonly<Record<string, FieldKinds>> };

type FieldKinds = Readonly<Record<string, { readonly kind: Kind; readonly isOptional?: true }>>;

/** A kind of value in a plan: how it is read from YAML, validated and described. */
export interface ReadKind<T = unknown> {
  /** `write` says what to write instead, and ends the sentence of a fault, a `PlanError`. */
  read(field: PlanField, write: string): T;
  readonly json: JsonSchema;
  /** For the docs, e.g. "duration". */
  readonly words: string;
  /** Absent where a value's schema is written apart. */
  readonly bounds?: Bounds;
}

/** One that is written in one line too. */
export interface Kind<T = unknown> extends ReadKind<T> {
  /** As YAML. */
  write(value: T): string;
}

interface NumberLimits {
  readonly min: number;
  readonly max?: number;
  /** The sentence for a value above `max`. */
  readonly tooMany?: (value: number) => string;
}

/** A whole number. */
export function wholeNumber({ min, max, tooMany }: NumberLimits): Kind<number> {
  return {
    read: (field, write) => {
      const value = min > 0 ? field.wholeNumber(write) : field.count(write);
      if (value < min) field.fail(`${value} is less than ${min}.`);
      return max !== undefined && value > max ? field.fail(tooMany?.(value) ?? `${value} is more than ${max}.`) : value;
    },
    write: String,
    json: { type: 'integer', minimum: min, ...(max === undefined ? {} : { maximum: max }) },
    words: max === undefined ? 'whole number' : `whole number, max ${max}`,
    bounds: { is: 'number', isWhole: true, min, max },
  };
}

export const viewers = wholeNumber({ min: 1 });
export const level = wholeNumber({ min: 0 });

/** Any number above 0. */
export const factor: Kind<number> = {
  read: (field, write) => field.positiveNumber(write),
  write: String,
  json: { type: 'number', exclusiveMinimum: 0 },
  words: 'number',
  bounds: { is: 'number', above: 0 },
};

/** From above 0, or from 0, to `max` percent. */
export function percent({
  max,
  fromZero = false,
}: {
  readonly max: number;
  readonly fromZero?: boolean;
}): Kind<number> {
  return {
    read: (field, write) => readPercent(field, write, { above: fromZero ? -1 : 0, most: max }),
    write: (value) => `${value}%`,
    json: { type: 'string', pattern: '^\\d+(\\.\\d+)?\\s*%$' },
    words: `percentage, max ${max}%`,
    bounds: { is: 'number', unit: '%', ...(fromZero ? { min: 0 } : { above: 0 }), max },
  };
}

const durationJson = { type: 'string', pattern: '^\\s*(\\d+(\\.\\d+)?\\s*(h|ms|m|s)\\s*)+$' };

/** A duration above 0, in ms; `zero` is the sentence for `0s`. */
export const duration = (zero = 'The duration must be longer than 0.'): Kind<number> => ({
  read: (field, write) => readTime(field, write, zero),
  write: writeDuration,
  json: durationJson,
  words: 'duration',
  bounds: { is: 'number', unit: 'ms', isWhole: true, min: 1 },
});

/** A duration in ms that may be 0. */
export const durationOrZero: Kind<number> = {
  ...duration(),
  read: readDuration,
  bounds: { is: 'number', unit: 'ms', isWhole: true, min: 0 },
};

/** Viewers per second. */
export const rate: Kind<number> = {
  read: readRate,
  write: writeRate,
  json: { type: 'string', pattern: '^\\s*\\d+(\\.\\d+)?\\s*/\\s*(s|min)\\s*$' },
  words: 'rate',
  bounds: { is: 'number', unit: '/s', above: 0 },
};

/** A bitrate in kbit/s, at most `max`. */
export const bitrate = (max: number): Kind<number> => ({
  read: (field) => readBitrate(field, max),
  write: writeBitrate,
  json: { type: 'string', pattern: '^\\s*\\d+(\\.\\d+)?\\s*(kbit|Mbit|Gbit)/s\\s*$' },
  words: 'bitrate',
  bounds: { is: 'number', unit: 'kbit/s', above: 0, max },
});

/** A duration in ms, from `min` to `max`. */
export const durationUpTo = (max: number, min = 0): Kind<number> => ({
  ...duration(),
  read: (field, write) => {
    const ms = min > 0 ? readTime(field, write, 'The duration must be longer than 0.') : readDuration(field, write);
    return ms <= max ? ms : field.fail(`${writeDuration(ms)} is more than ${writeDuration(max)}. ${write}`);
  },
  words: `duration, max ${writeDuration(max)}`,
  bounds: { is: 'number', unit: 'ms', isWhole: true, min, max },
});

/** One of some texts; `renamed` has the new names of deprecated ones. */
export function choice<T extends string>(of: readonly T[], renamed?: ReadonlyMap<string, T>): Kind<T> {
  return {
    read: (field, write) => field.oneOf(of, write, renamed),
    write: (value) => value,
    json: { enum: [...of] },
    words: of.map((each) => `\`${each}\``).join(', '),
    bounds: { is: 'choice', of },
  };
}

/** A text of 1 to `max` characters. */
export const text = (max: number): Kind<string> => ({
  read: (field, write) => {
    const value = field.text(write).trim();
    if (value === '') field.fail(`This is empty. ${write}`);
    return value.length <= max ? value : field.fail(`${value.length} characters are too many; the maximum is ${max}.`);
  },
  write: scalar,
  json: { type: 'string', minLength: 1, maxLength: max },
  words: `text, max ${max} characters`,
  bounds: { is: 'text', max },
});

/** The name that a person gives to something, as in "A plan name"; see `nameFault`. */
export const humanName = (max: number, what: string): Kind<string> => {
  const plain = text(max);
  return {
    ...plain,
    read: (field, write) => {
      const name = normalText(plain.read(field, write));
      const fault = nameFault(name, what);
      return fault === undefined ? name : field.fail(fault);
    },
  };
};

/** The size of an element in pixels, as `640x360`. */
export const pixelSize: Kind<string> = {
  read: (field, write) => {
    const value = field.text(write).trim();
    return elementSize(value) ? value : field.fail(`"${value}" is not a size. ${write}`);
  },
  write: scalar,
  json: { type: 'string', pattern: '^[1-9]\\d{0,3}x[1-9]\\d{0,3}$' },
  words: 'size in pixels',
  bounds: {
    is: 'text',
    faultOf: (value) => (elementSize(value) ? undefined : `"${value}" is not a size, e.g. 640x360.`),
  },
};

export const flag: Kind<boolean> = {
  read: (field, write) => field.flag(write),
  write: String,
  json: { type: 'boolean' },
  words: '`true`, `false`',
  bounds: { is: 'flag' },
};

/** The name of a stream. */
export const stream: Kind<string> = {
  read: streamName,
  write: scalar,
  json: { type: 'string', minLength: 1, maxLength: longestStreamName },
  words: 'text',
  bounds: { is: 'text', faultOf: streamNameFault },
};

/** The plan's name of a node. */
export const node: Kind<string> & { readonly bounds: Bounds } = {
  read: nodeName,
  write: scalar,
  json: nodeNameJson,
  words: 'node',
  bounds: { is: 'text', faultOf: nodeNameFault },
};

/** A list of at most `max`; `write` says what to write instead of something else. */
export function listOf<T>(kind: Kind<T>, itemWrite: string, max?: number): Kind<readonly T[]> {
  return {
    read: (field, write) => field.list(write, max).map((item) => kind.read(item, itemWrite)),
    write: (values) => list(values.map((value) => kind.write(value))),
    json: { type: 'array', items: kind.json, ...(max === undefined ? {} : { maxItems: max }) },
    words: max === undefined ? 'list' : `list, max ${max}`,
    bounds: kind.bounds && { is: 'list', of: kind.bounds, max },
  };
}
