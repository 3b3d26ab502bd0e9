import { posix, win32 } from 'node:path';
import { z } from 'zod';
import { visibleLine } from '../domain/text/visibleText';

/** What a `fullhouse://` link asks to open: a file of this machine. */
export interface AppLink {
  readonly kind: 'plan' | 'run';
  /** Absolute. */
  readonly file: string;
}

const linkScheme = 'fullhouse';

/** File names of each kind. */
const extensions = { plan: ['.yaml', '.yml'], run: ['.fullhouse'] } as const;
const maxLength = 4096;

const link = z.object({
  kind: z.enum(['plan', 'run']),
  file: z
    .string()
    .min(1)
    .max(maxLength)
    // Control characters and direction marks could hide the rest of a path in the dialog that asks.
    .refine((text) => visibleLine(text) === text && !/[\u200e\u200f]/.test(text)),
});

/**
 * Reads `fullhouse://plan?file=/path/plan.yaml` or `fullhouse://run?file=/path/run.fullhouse`; anything else throws a
 * sentence. Links come from any web page or mail: they name local files only, and never start anything.
 */
export function parseAppLink(text: string, platform: NodeJS.Platform = process.platform): AppLink {
  const url = urlOf(text);
  const file = url.searchParams.getAll('file');
  const others = [...url.searchParams.keys()].some((name) => name !== 'file');
  const isPlain =
    (url.pathname === '' || url.pathname === '/') &&
    [url.username, url.password, url.port, url.hash].every((part) => part === '');
  const parsed = link.safeParse({ kind: url.hostname, file: file[0] });
  if (!parsed.success || file.length !== 1 || others || !isPlain)
    throw refused('Expected fullhouse://plan?file=/path/plan.yaml or fullhouse://run?file=/path/run.fullhouse');
  const { kind } = parsed.data;
  const path = platform === 'win32' ? win32 : posix;
  // Without a share of another computer: opening one sends it the user's name and a hash of the password.
  if (!path.isAbsolute(parsed.data.file) || /^[\\/]{2}/.test(parsed.data.file))
    throw refused('Its file must be an absolute path on this computer');
  const normal = path.normalize(parsed.data.file);
  if (!extensions[kind].some((extension) => normal.toLowerCase().endsWith(extension)))
    throw refused(`The file of a ${kind} ends in ${extensions[kind].join(' or ')}`);
  return { kind, file: normal };
}

function urlOf(text: string): URL {
  try {
    const url = new URL(text.slice(0, 2 * maxLength));
    if (url.protocol === `${linkScheme}:` && text.length <= 2 * maxLength) return url;
  } catch {
    // Refused below, as other schemes are.
  }
  throw refused('It is not a fullhouse:// address');
}

const refused = (reason: string): Error => new Error(`The link was not opened. ${reason}.`);

/** Links on a command line, as the system passes them to a scheme's program. */
export function linksIn(args: readonly string[]): string[] {
  return args.filter((argument) => argument.toLowerCase().startsWith(`${linkScheme}:`));
}
