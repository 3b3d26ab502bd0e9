import type { OptionRow, OptionValue } from '../../model/optionRow';
import { optionNames, optionRows, type AudienceOptions, type StructuredOption } from '../../model/options';
import type { FieldOf, FieldsOf } from './fields';
import { headersKind } from './headers';
import { choice, flag, humanName, pixelSize, wholeNumber, type Kind, type ReadKind } from './kind';
import { networkKind } from './network';
import { roomsKind } from './rooms';
import { searchKind } from './search';
import { stagesKind } from './stages';
import { tokensKind } from './tokens';
import { turnKind } from './turn';
import { watchForKind } from './watchFor';

const structures: { readonly [Name in StructuredOption]: Kind<NonNullable<AudienceOptions[Name]>> } = {
  stages: stagesKind,
  search: searchKind,
  rooms: roomsKind,
  watchFor: watchForKind,
  network: networkKind,
  turn: turnKind,
  tokens: tokensKind,
  headers: headersKind,
};
const isStructure = (name: string): name is StructuredOption => Object.hasOwn(structures, name);

/** How the value of an option is read from YAML, validated and described. */
function simpleKind(value: Exclude<OptionValue, { is: 'structure' }>): ReadKind {
  switch (value.is) {
    case 'flag':
      return flag;
    case 'choice':
      return choice(value.of, new Map(Object.entries(value.renamed ?? {})));
    case 'count': {
      const { min, max, tooMany } = value;
      return wholeNumber({ min, max, tooMany: (count) => `${count} ${tooMany}; the maximum is ${max}.` });
    }
    case 'name':
      return humanName(value.max, value.what);
    case 'pixelSize':
      return pixelSize;
  }
}

function fieldOf(name: string, { value, label, help, write, absent, oldKeys }: OptionRow): FieldOf<never> {
  const kind = isStructure(name) ? structures[name] : value.is === 'structure' ? undefined : simpleKind(value);
  if (!kind) throw new Error(`The option "${name}" is not described.`);
  return { key: name, kind: kind as Kind<never>, label, help, write, absent, oldKeys };
}

/** The options of an audience as fields of a plan. */
export const optionFields = Object.fromEntries(
  optionNames.map((name) => [name, { ...fieldOf(name, optionRows[name]), isOptional: true }]),
) as unknown as FieldsOf<AudienceOptions>;
