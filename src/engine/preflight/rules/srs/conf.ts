import type { Facts } from '../../reading/facts';
import type { Need } from '../../reading/need';
import { readBlocks, type Directive } from '../../text/blocks';
import { srsSettings } from '../../reading/srsSettings';
import { linesFor } from '../../text/properties';

export const srsConf: Need = { config: 'srs.conf' };
/** The settings of SRS: those of its environment replace those of its file. */
export function confOf(facts: Facts): readonly Directive[] {
  const { text, environment = {} } = facts.config('srs.conf');
  return srsSettings.reduce<readonly Directive[]>((directives, { variable, path }) => {
    const value = environment[`SRS_${variable}`];
    return value === undefined || value === '' ? directives : [...without(directives, path), made(path, value)];
  }, readBlocks(text));
}

/** The variable of SRS's environment that sets this; undefined where its file does. */
export function variableOf(facts: Facts, setting: string): string | undefined {
  const { environment = {} } = facts.config('srs.conf');
  const found = srsSettings.find(({ path }) => path.at(-1) === setting);
  const name = found && `SRS_${found.variable}`;
  return name !== undefined && environment[name] ? name : undefined;
}

function without(directives: readonly Directive[], path: readonly string[]): readonly Directive[] {
  const [name, ...rest] = path;
  return directives.flatMap((directive) => {
    if (directive.name === name && rest.length === 0) return [];
    const inner = directive.name === name ? rest : path;
    return directive.block ? [{ ...directive, block: without(directive.block, inner) }] : [directive];
  });
}

function made([name = '', ...rest]: readonly string[], value: string): Directive {
  return rest.length === 0 ? { name, words: [value] } : { name, words: [], block: [made(rest, value)] };
}

export const srsFix = (facts: Facts, ...lines: readonly string[]): string =>
  linesFor(facts.config('srs.conf').path, lines, 'restart SRS (max_connections) or reload it');
