import { resultJsonSchema } from './runResult';

/** The parts of a JSON Schema that the page shows. */
interface Shown {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: ReadonlyArray<string | null>;
  readonly format?: string;
  readonly description?: string;
  readonly items?: Shown;
  readonly anyOf?: readonly Shown[];
  readonly properties?: Readonly<Record<string, Shown>>;
}

/** A value without `null`, and whether it may be null. */
function split({ anyOf, ...one }: Shown): { readonly shown: Shown; readonly isNullable: boolean } {
  const given = anyOf?.find(({ type }) => type !== 'null') ?? one;
  const types = typeof given.type === 'string' ? [given.type] : (given.type ?? []);
  const isNullable = types.includes('null') || (anyOf ?? []).some(({ type }) => type === 'null');
  const [type] = types.filter((type) => type !== 'null');
  return { shown: { ...given, ...(type === undefined ? {} : { type }) }, isNullable };
}

function words(value: Shown): string {
  const { shown, isNullable } = split(value);
  const orNull = isNullable ? ' or null' : '';
  if (shown.const !== undefined) return `\`${JSON.stringify(shown.const)}\``;
  if (shown.enum) {
    const choices = shown.enum.filter((choice) => choice !== null).map((choice) => `\`${choice}\``);
    return `${choices.join(', ')}${orNull}`;
  }
  if (shown.type === 'array') return shown.items?.properties ? 'list of objects' : 'list';
  return `${shown.format === 'date-time' ? 'time' : String(shown.type ?? 'value')}${orNull}`;
}

/** The fields of a value, and those of what it contains, each with its path. */
function rowsOf(path: string, value: Shown): string[] {
  const { shown } = split(value);
  const isList = shown.type === 'array';
  const inside = isList ? shown.items : shown;
  const own = `| \`${path}\` | ${words(value)} | ${value.description ?? shown.description ?? ''} |`;
  const prefix = isList ? `${path}[].` : `${path}.`;
  return [own, ...Object.entries(inside?.properties ?? {}).flatMap(([key, each]) => rowsOf(`${prefix}${key}`, each))];
}

/** docs/result.md. */
export function runResultPage(): string {
  const { properties = {} } = resultJsonSchema() as Shown;
  return (
    [
      '# Result as JSON',
      "Generated from `src/contract/runResult.ts`, as is `fullhouse schema result`, its JSON Schema. `fullhouse run --json`\nprints one such object in the last line of standard output (a schedule: one line for each run), and `fullhouse show RUN\n--json` that of a saved run. A run that begins and can't be started, e.g. without a tester that accepts viewers, has `ended.kind`\n`not-started`; a plan with faults, or without consent, gives no run and no object: the reasons are on standard error. The\n[exit code](ci.md#exit-codes) is 2 in both cases.",
      '`schemaVersion` is part of every JSON object that a command prints. Within a version fields are only added: ignore those\nthat you do not know. Times are ISO 8601 in UTC, names ending in `S` seconds since the start of the run, and in `Ms`\nmilliseconds (of `limit`: Unix time). A missing figure is null.',
      [
        '| field | values | meaning |',
        '| --- | --- | --- |',
        ...Object.entries(properties).flatMap(([key, each]) => rowsOf(key, each)),
      ].join('\n'),
    ].join('\n\n') + '\n'
  );
}
