/** Words that YAML would not read as text. */
const notText = /^(true|false|null|yes|no|on|off|y|n|~|\.inf|\.nan)$/i;

/** A text as YAML, quoted only if necessary, also within `{ }`. */
export function scalar(text: string): string {
  const plain = /^[A-Za-z_][A-Za-z0-9_./ -]*$/.test(text) && !text.endsWith(' ') && !notText.test(text);
  return plain || /^\d+[a-z/][A-Za-z0-9/]*$/.test(text) ? text : JSON.stringify(text);
}

/** Values are YAML already. */
export function flow(fields: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(fields).map(([key, value]) => `${scalar(key)}: ${value}`);
  return `{ ${pairs.join(', ')} }`;
}

export function list(items: readonly string[]): string {
  return `[${items.join(', ')}]`;
}

/** One key per line, the first after `lead` and the others below it. */
export function block(fields: Readonly<Record<string, string | readonly string[]>>, lead: string): string[] {
  const indent = ' '.repeat(lead.length);
  const lines = Object.entries(fields).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [`${scalar(key)}: ${value}`]
      : [`${scalar(key)}:`, ...value.map((item) => `  - ${item}`)],
  );
  return lines.map((line, i) => (i === 0 ? lead : indent) + line);
}
