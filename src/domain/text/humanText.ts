import { inkedFormat } from './visibleText';

/** Texts that people give to things: names, labels, tags, notes. One rule says which characters they may have. */

/** Invisible characters, also those that count as letters or marks; variation selectors follow what they vary. */
const hidden = /^\p{Default_Ignorable_Code_Point}$/u;
const control = /^[\p{Cc}\p{Zl}\p{Zp}]$/u;
const direction = /^[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]$/;
const joiner = /^[\u200c\u200d]$/;
const inked = new RegExp(`^[${inkedFormat}]$`, 'u');
const selector = /^[\ufe0e\ufe0f]$/;
/** What joiners join: letters of scripts that need them, and emoji. */
const joined = /^[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u;

/** Why a character has no place in such a text; undefined if it has one. */
function reasonAgainst(sign: string, before: string | undefined, after: string | undefined): string | undefined {
  if (control.test(sign)) return 'a control character or line end';
  if (direction.test(sign)) return 'it changes the direction of text';
  if (joiner.test(sign) && joined.test(before ?? '') && joined.test(after ?? '')) return undefined;
  if (selector.test(sign) && /^[\p{Emoji}\p{L}\p{N}\p{S}]$/u.test(before ?? '')) return undefined;
  if (hidden.test(sign)) return 'it is invisible';
  if (/^\p{Cf}$/u.test(sign) && !inked.test(sign)) return 'it is invisible';
  if (/^\p{Cs}$/u.test(sign)) return 'half of a character';
  if (/^\p{Co}$/u.test(sign)) return 'each system shows another sign for it, or none';
  if (/^\p{Cn}$/u.test(sign)) return 'Unicode has no character there';
  return undefined;
}

const codeOf = (sign: string): string => `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** `lines`: line ends and tabs may occur. `what` as in "A plan name". */
function characterFault(text: string, what: string, lines: boolean): string | undefined {
  const signs = [...text];
  for (const [place, sign] of signs.entries()) {
    if (lines && /^[\t\r\n]$/.test(sign)) continue;
    const reason = reasonAgainst(sign, signs[place - 1], signs[place + 1]);
    if (reason !== undefined)
      return `${what} can't contain ${codeOf(sign)} (${reason}); it is character ${place + 1} of this one. Remove it.`;
  }
  return undefined;
}

/** A text in the form in which equal texts have equal characters (NFC), without spaces around it. */
export const normalText = (text: string): string => text.normalize('NFC').trim();

/**
 * Why a text can't be the name of something, one sentence; undefined if it can: letters of any language with their
 * marks, digits, signs and spaces, but nothing that can't be seen.
 */
export const nameFault = (name: string, what: string): string | undefined => characterFault(name, what, false);

/** What is wrong with a note, which may have several lines; undefined if nothing. */
export const noteFault = (note: string): string | undefined => characterFault(note, 'A note', true);
