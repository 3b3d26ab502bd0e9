import { htmlText } from '../../domain/text/escape/markup';

/** A piece of HTML; only `markup` creates one, so that no text gets in unescaped. */
export class Markup {
  constructor(readonly html: string) {}
}

type Part = Markup | string | number | undefined | false | readonly Part[];

function text(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.html;
  if (typeof part === 'string') return htmlText(part);
  return typeof part === 'number' ? String(part) : part.map(text).join('');
}

/** An HTML template: values are escaped unless they are markup; `undefined` and `false` are empty. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((html, string, i) => html + text(parts[i - 1]) + string));
}

/**
 * A table with a head, or the word none; `numbers` are aligned to the right, `wide` (the last one) takes the remaining
 * width.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly Part[])[],
  { numbers = [], wide = head.at(-1) }: { readonly numbers?: readonly string[]; readonly wide?: string } = {},
): Markup {
  if (rows.length === 0) return markup`<p class="quiet">none</p>`;
  const name = (i: number): string => {
    const title = head[i] ?? '';
    return numbers.includes(title) ? 'number' : title === wide ? 'wide' : 'tight';
  };
  // Numbers stay together: an empty column takes the rest of the width.
  const isFilled = wide !== undefined && !numbers.includes(wide);
  const fillers = isFilled ? ['', ''] : [markup`<th class="wide"></th>`, markup`<td class="wide"></td>`];
  const cells = head.map((title, i) => markup`<th class="${name(i)}">${title}</th>`);
  const body = rows.map(
    (row) => markup`<tr>${row.map((part, i) => markup`<td class="${name(i)}">${part}</td>`)}${fillers[1]}</tr>`,
  );
  return markup`<div class="scroll"><table><thead><tr>${cells}${fillers[0]}</tr></thead><tbody>${body}</tbody></table></div>`;
}
