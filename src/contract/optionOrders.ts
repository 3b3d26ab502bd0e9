import { z } from 'zod';
import type { OptionOrder, OptionValue } from '../domain/model/optionRow';
import { optionNames, optionRows, type AudienceOptions, type OrderedOption } from '../domain/model/options';

/** The options of an audience that are sent to agents as they are. */
export const optionOrders = Object.fromEntries(
  optionNames.flatMap((name) => {
    const { value, order } = optionRows[name];
    return order ? [[name, orderSchema(value, order)]] : [];
  }),
) as unknown as { readonly [Name in OrderedOption]: z.ZodOptional<z.ZodType<NonNullable<AudienceOptions[Name]>>> };

function orderSchema(value: OptionValue, { description, goType }: OptionOrder): z.ZodOptional {
  const schema = valueSchema(value);
  const named = goType ? schema.meta(goType) : schema;
  return description === undefined ? named.optional() : named.optional().describe(description);
}

function valueSchema(value: OptionValue): z.ZodType {
  switch (value.is) {
    case 'flag':
      return z.boolean();
    case 'choice':
      return z.enum(value.of);
    case 'count':
      return z.number().int().min(value.min).max(value.max);
    case 'name':
      return z.string().min(1).max(value.max);
    case 'pixelSize':
    case 'structure':
      throw new Error(`A value like ${value.is} has a form of its own in the protocol.`);
  }
}
