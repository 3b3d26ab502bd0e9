import { keepableKinds, type KeepableKind, type RedactionChoice } from '../domain/redaction/identifyingValues';
import { UsageError } from './usageError';

export const reportFormats = ['html', 'junit', 'markdown', 'csv', 'sqlite'] as const;
export type ReportFormat = (typeof reportFormats)[number];

export interface ReportCommand {
  readonly command: 'report';
  readonly run: string;
  readonly format: ReportFormat;
  readonly out: string | undefined;
  /** Undefined: not redacted. */
  readonly choice: RedactionChoice | undefined;
}

export interface SnapshotCommand {
  readonly command: 'snapshot';
  readonly run: string;
  readonly out: string | undefined;
  readonly choice: RedactionChoice;
  /** Lists what would be redacted and writes nothing. */
  readonly list: boolean;
  readonly json: boolean;
}

export const shareOptions = {
  format: { type: 'string' },
  redact: { type: 'string' },
  list: { type: 'boolean' },
  junit: { type: 'string' },
  markdown: { type: 'string' },
} as const;

interface Typed {
  readonly format?: string;
  readonly redact?: string;
  readonly list?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

/** The kinds as typed. */
const words: Readonly<Record<string, KeepableKind>> = {
  addresses: 'address',
  streams: 'stream',
  nodes: 'node',
  users: 'user',
  files: 'file',
  names: 'name',
  programs: 'program',
  texts: 'text',
  notes: 'note',
  stills: 'still',
};
const allWords = Object.keys(words).join(', ');

/** Throws a `UsageError`. */
export function readReport(run: string, { format = 'html', redact, out }: Typed): ReportCommand {
  const known = reportFormats.find((each) => each === format);
  if (!known) throw new UsageError(`Unknown format "${format}"; use one of ${reportFormats.join(', ')}.`);
  return {
    command: 'report',
    run,
    format: known,
    out,
    choice: redact === undefined ? undefined : choiceOf(redact),
  };
}

/** Throws a `UsageError`. */
export function readSnapshot(run: string, { redact = 'all', list = false, out, json = false }: Typed): SnapshotCommand {
  if (list && out !== undefined) throw new UsageError('--list writes nothing; remove --out or --list.');
  return { command: 'snapshot', run, out, choice: choiceOf(redact), list, json };
}

function choiceOf(redact: string): RedactionChoice {
  if (redact === 'all') return { keepKinds: [], keep: [] };
  const named = redact
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const unknown = named.find((word) => word !== 'keys' && words[word] === undefined);
  if (unknown !== undefined || named.length === 0)
    throw new UsageError(
      `--redact takes "all" or some of ${allWords}, separated by commas${unknown === undefined ? '' : `; "${unknown}" is unknown`}. Keys and tokens are always removed.`,
    );
  return { keepKinds: keepableKinds.filter((kind) => !named.some((word) => words[word] === kind)), keep: [] };
}
