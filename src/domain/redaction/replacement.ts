import { isPublicAddress } from './addresses';
import type { TextSpan } from './foreign';
import type { FoundValue } from './identifyingValues';
import { isOwnAddress } from './words';

/** What a text from elsewhere becomes: its length says whether there was an answer. */
export const leftOutText = (text: string): string =>
  `(${text.length} ${text.length === 1 ? 'character' : 'characters'} removed)`;
export const pathRemoved = '/(path)';

export interface Replacement extends TextSpan {
  readonly text: string;
  readonly values: readonly FoundValue[];
}

export const byStart = (a: TextSpan, b: TextSpan): number => a.start - b.start;

/** Those that overlap none of `cuts`; both in order of their start. */
export function without(replacements: readonly Replacement[], cuts: readonly TextSpan[]): Replacement[] {
  let next = 0;
  return [...replacements].sort(byStart).filter(({ start, end }) => {
    while (next < cuts.length && (cuts[next]?.end ?? 0) <= start) next += 1;
    return (cuts[next]?.start ?? Infinity) >= end;
  });
}

/** An address, up to what ends it in a sentence. */
const url = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>\\`“”]*/gi;
const goesOn = /[.,:;!?)\]}…]+$/;

/** The addresses in a sentence, and whether the program itself cites each. */
export function addressesIn(text: string, left: string): Array<TextSpan & { readonly isOwn: boolean }> {
  return [...left.matchAll(url)].map(({ index, 0: found }) => {
    const end = index + withoutEnd(found).length;
    return { start: index, end, isOwn: isOwnAddress(text.slice(index, end)) };
  });
}

/** What follows a known host: an address without a scheme. */
export function pathsIn(left: string): TextSpan[] {
  return [...left.matchAll(/(?<=\ue000(?::\d{1,5})?)\/[^\s"'<>\\`“”\ue000,;()]+/g)].map(({ index, 0: found }) => ({
    start: index,
    end: index + withoutEnd(found).length,
  }));
}

const withoutEnd = (address: string): string => address.replace(goesOn, '');

/** Scheme and host of an address, if these identify nothing. */
export function publicHost(text: string, { start, end }: TextSpan): TextSpan[] {
  const [, scheme = '', host = ''] = /^([a-z0-9+.-]+:\/\/)([^/?#:@\s]+|\[[^\]]+\])/i.exec(text.slice(start, end)) ?? [];
  return host !== '' && isPublicAddress(host) ? [{ start, end: start + scheme.length + host.length }] : [];
}
