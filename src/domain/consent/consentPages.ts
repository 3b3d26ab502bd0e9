import type { ConsentItem } from './consent';
import { itemGroups, itemLine } from './consentText';

/** Limits of what a message box shows on a small screen, without truncation. */
const maxPage = { characters: 1800, lines: 22 };
/** A list of more pages is not read. */
const maxPages = 12;
/** Characters of one line in a message box; longer ones are wrapped. */
const lineLength = 76;

/**
 * The items by kind, in pages that a message box can show in full. Undefined if they are too long for that: then they
 * can't be allowed there.
 */
export function consentPages(items: readonly ConsentItem[]): readonly string[] | undefined {
  const pages: string[][] = [[]];
  let size = { characters: 0, lines: 0 };
  const add = (text: string, title: string | undefined): boolean => {
    const lines = [...(title === undefined ? [] : [title]), text];
    const characters = lines.join('\n').length;
    const height = lines.reduce((sum, line) => sum + Math.ceil(line.length / lineLength), 0);
    if (characters > maxPage.characters || height > maxPage.lines) return false;
    if (size.characters + characters > maxPage.characters || size.lines + height > maxPage.lines) {
      pages.push([]);
      size = { characters: 0, lines: 0 };
    }
    pages.at(-1)?.push(...lines);
    size = { characters: size.characters + characters + lines.length, lines: size.lines + height };
    return true;
  };
  for (const { title, items: group } of itemGroups(items))
    for (const [place, item] of group.entries())
      if (!add(`• ${itemLine(item)}`, place === 0 ? title : undefined)) return undefined;
  return pages.length > maxPages ? undefined : pages.map((lines) => lines.join('\n'));
}
