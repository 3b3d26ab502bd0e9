import { audienceOptions } from './audienceOptions';
import type { OptionRow, OptionValue } from './optionRow';

type Rows = typeof audienceOptions;
export type OptionName = keyof Rows;

type ValueOf<Row> = Row extends { readonly value: OptionValue<infer Value> } ? Value : never;
/** The options that an audience has, each with its value. */
export type AudienceOptions = { readonly [Name in OptionName]?: ValueOf<Rows[Name]> };

/** Names of the rows that have a property. */
type With<Property extends keyof OptionRow> = {
  [Name in OptionName]: Rows[Name] extends { readonly [Key in Property]: unknown } ? Name : never;
}[OptionName];
/** Options with several values, each described in `domain/plan/fields`. */
export type StructuredOption = Exclude<OptionName, With<'redaction'>>;
/** Options in the list of further options of a form. */
export type FormOption = With<'label'>;
export type FormOptions = Pick<AudienceOptions, FormOption>;
/** Options that agents receive as they are. */
export type OrderedOption = With<'order'>;

/** The names of all options. */
export const optionNames = Object.keys(audienceOptions) as readonly OptionName[];
/** Their rows, without the types of their values. */
export const optionRows: Readonly<Record<OptionName, OptionRow>> = audienceOptions;
/** The options that define the load profile, and with it viewers, rate and hold. */
export const profileOptions = ['stages', 'search'] as const satisfies readonly OptionName[];
export const isProfileOption = (name: OptionName): boolean => (profileOptions as readonly string[]).includes(name);
/** The options in the list of further options of a form. */
export const formOptions = optionNames.filter((name): name is FormOption => optionRows[name].label !== undefined);
