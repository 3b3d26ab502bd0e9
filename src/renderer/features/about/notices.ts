/** One component of the app with its licence. */
export interface LicenseNotice {
  /** Name and version. */
  readonly label: string;
  /** Short name of the licence; empty if the component states none. */
  readonly licence: string;
  /** Part of the app that contains it. */
  readonly group: string;
  readonly text: string;
}

const rule = '='.repeat(80);

/** Reads the third-party notices that `scripts/notices/document.mjs` writes. */
export function parseNotices(document: string): LicenseNotice[] {
  const lines = document.split('\n');
  const start = lines.indexOf(rule);
  const listed = listedIn(lines.slice(0, start));
  const texts = textsByLabel(lines.slice(start), (line) => listed.some(({ entry }) => labelIn(entry, line)));
  return listed.map(({ entry, group }) => {
    const label = [...texts.keys()].find((key) => labelIn(entry, key)) ?? entry;
    return { label, licence: entry.slice(label.length + 2, -1), group, text: texts.get(label) ?? '' };
  });
}

/** Entries of the list at the start: indented, each below the title of its group. */
function listedIn(lines: readonly string[]): { readonly entry: string; readonly group: string }[] {
  let group = '';
  const seen = new Set<string>();
  return lines.flatMap((line) => {
    if (!line.startsWith('  ')) group = line;
    // A package may be installed twice in the same version.
    const isNew = line.startsWith('  ') && !seen.has(`${group}\n${line}`);
    seen.add(`${group}\n${line}`);
    return isNew ? [{ entry: line.slice(2), group }] : [];
  });
}

/** An entry is a label, followed by its licence in brackets if it has one. */
const labelIn = (entry: string, label: string): boolean => entry === label || entry.startsWith(`${label} (`);

/** A text follows the labels of its components, between two rules; a licence may contain rules itself. */
function textsByLabel(lines: readonly string[], isLabel: (line: string) => boolean): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let labels: readonly string[] = [];
  let text: string[] = [];
  const take = (): void => labels.forEach((label) => texts.set(label, text.join('\n').trim()));
  for (let index = 0; index < lines.length; index += 1) {
    const end = lines[index] === rule ? lines.indexOf(rule, index + 1) : -1;
    const between = lines.slice(index + 1, Math.max(end, index + 1));
    if (between.length > 0 && between.every(isLabel)) {
      take();
      labels = between;
      text = [];
      index = end;
    } else text.push(lines[index] ?? '');
  }
  take();
  return texts;
}

/** The notices whose name, licence or text has these words. */
export function findNotices(notices: readonly LicenseNotice[], words: string): readonly LicenseNotice[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return notices.filter(({ label, licence, group, text }) => {
    const all = `${label} ${licence} ${group}\n${text}`.toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
}
