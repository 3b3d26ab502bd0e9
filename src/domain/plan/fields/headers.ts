import { headerFault } from '../headerRules';
import { flow } from '../yamlText';
import type { Kind } from './kind';

/** Headers by name. */
export const headersKind: Kind<Readonly<Record<string, string>>> = {
  read: (field, write) =>
    Object.fromEntries(
      [...field.map()].map(([name, value]): [string, string] => {
        const text = value.text(write);
        const fault = headerFault(name, text);
        if (fault !== undefined) value.fail(fault);
        return [name, text];
      }),
    ),
  write: (headers) =>
    flow(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, JSON.stringify(value)]))),
  json: { type: 'object', additionalProperties: { type: 'string' } },
  words: 'map',
  bounds: { is: 'other', name: 'headers' },
};
