import { protocolNames } from '../../src/domain/model/protocols.ts';

/** Words that Go writes in another way than with one capital. */
const initialisms = new Set(
  'cc cmcd cpu dns dtls fec fps gc http ice id ok pid rtcp rtx sdp sha256 srtp ssrc stun tcp tls url ws'.split(' '),
);
const special = {
  // Words of protocols as in their names: `dash` of MPEG-DASH.
  ...Object.fromEntries(
    Object.entries(protocolNames).flatMap(([protocol, name]) =>
      name
        .split('-')
        .filter((word) => protocol.split('-').includes(word.toLowerCase()))
        .map((word) => [word.toLowerCase(), word]),
    ),
  ),
  ...{ nacks: 'NACKs', plis: 'PLIs', firs: 'FIRs', urls: 'URLs' },
};

/** `hostCpuPercent`, `first-packet` and `audience.start` as exported names of Go. */
export function goName(name) {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[ .-]/)
    .map((word) => word.toLowerCase())
    .map(
      (word) => special[word] ?? (initialisms.has(word) ? word.toUpperCase() : word[0].toUpperCase() + word.slice(1)),
    )
    .join('');
}

const isNumber = (type) => /^(u?int|float)/.test(type);
const plain = { integer: 'int', number: 'float64', string: 'string', boolean: 'bool' };

/** Lines of at most 116 columns, as a comment. */
function comment(text, indent = '') {
  if (!text) return [];
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last && last.length + word.length > 108) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.map((line) => `${indent}// ${line}`);
}

/** Rows of cells, aligned as gofmt does: each run of rows without a comment between them by itself. */
export function aligned(entries) {
  const lines = [];
  let run = [];
  const flush = () => {
    const widths = run.reduce((most, row) => row.map((cell, i) => Math.max(cell.length, most[i] ?? 0)), []);
    for (const row of run)
      lines.push(`\t${row.map((cell, i) => (i < row.length - 1 ? cell.padEnd(widths[i]) : cell)).join(' ')}`);
    run = [];
  };
  for (const { text, row } of entries) {
    if (text) {
      flush();
      lines.push(...comment(text, '\t'));
    }
    if (row.length === 1) flush(); // an embedded type
    run.push(row);
    if (row.length === 1) flush();
  }
  flush();
  return lines;
}

/**
 * Go types for the definitions of a JSON Schema, and constants. How an optional field is sent is described in
 * `src/contract/agentFields.ts`.
 */
export function goSource(definitions, constants) {
  const isStruct = (type) => definitions[type] && !definitions[type].enum;

  function typeOf(schema, where) {
    if (schema.goType) return schema.goType;
    if (schema.$ref) return schema.$ref.split('/').at(-1);
    if (schema.anyOf)
      return typeOf(
        schema.anyOf.find(({ type }) => type !== 'null'),
        where,
      );
    if (schema.type === 'array') return `[]${typeOf(schema.items, where)}`;
    if (schema.properties) throw new Error(`${where} needs an id, since Go has to name its type.`);
    if (schema.type !== 'object') return plain[schema.type] ?? 'any';
    const value = typeOf(schema.additionalProperties, where);
    return value === 'any' ? 'json.RawMessage' : `map[string]${value}`;
  }

  function field(name, schema, required, where) {
    const type = typeOf(schema, where);
    const row = (goType, tag) => ({
      text: schema.description,
      row: [goName(name), goType, `\`json:"${name}${tag}"\``],
    });
    if (required === true || schema.go === 'always') return row(type, '');
    const isPointer =
      isStruct(type) || schema.go === 'pointer' || (isNumber(type) && !schema.go && required !== 'in some');
    return row(isPointer ? `*${type}` : type, ',omitempty');
  }

  const ofObject = ({ properties, required = [] }, where) =>
    Object.entries(properties).map(([name, schema]) =>
      field(name, schema, required.includes(name), `${where}.${name}`),
    );

  /** One struct for all variants; what some lack is left out when empty. */
  function ofUnion(variants, where) {
    const fields = Object.assign({}, ...[...variants].reverse().map(({ properties }) => properties));
    const names = new Set(variants.flatMap(({ properties }) => Object.keys(properties)));
    return [...names].map((name) => {
      const inAll = variants.every(({ required }) => required?.includes(name));
      return field(name, fields[name], inAll || 'in some', `${where}.${name}`);
    });
  }

  function entriesOf(name, schema) {
    if (schema.allOf)
      return schema.allOf.flatMap((part) => (part.$ref ? [{ row: [typeOf(part)] }] : ofObject(part, name)));
    return schema.properties ? ofObject(schema, name) : ofUnion(schema.oneOf ?? schema.anyOf, name);
  }

  function declaration([name, schema]) {
    const head = ['', ...comment(schema.description)];
    if (!schema.enum) return [...head, `type ${name} struct {`, ...aligned(entriesOf(name, schema)), '}'];
    const prefix = name.replace(/(State|Name)$/, '');
    const values = schema.enum.map((value) => ({ row: [prefix + goName(value), name, `= "${value}"`] }));
    return [...head, `type ${name} string`, '', `// The values of ${name}.`, 'const (', ...aligned(values), ')'];
  }

  const constantGroups = constants.flatMap(({ text, values }) => [
    '',
    ...comment(text),
    'const (',
    ...aligned(Object.entries(values).map(([name, value]) => ({ row: [name, `= ${JSON.stringify(value)}`] }))),
    ')',
  ]);
  const types = Object.entries(definitions).flatMap(declaration);
  return [
    '// Code generated by npm run protocol from src/contract/agentProtocol.ts and its parts. DO NOT EDIT.',
    '',
    '// Package protocol has the messages between agent and engine, and what both must agree on besides them.',
    'package protocol',
    '',
    'import "encoding/json"',
    ...constantGroups,
    ...types,
    '',
  ].join('\n');
}
