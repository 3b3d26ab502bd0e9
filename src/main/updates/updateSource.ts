import { z } from 'zod';
import { maxReleaseNotes } from '../../contract/updateCalls';

/** What a folder of packages publishes of its newest version, in `latest*.yml`. */
export const publishedVersion = z.object({
  version: z.string().max(60),
  releaseDate: z.coerce.string().max(60).optional().catch(undefined),
  // A list has one text for each version since the current one.
  releaseNotes: z
    .union([z.string(), z.array(z.object({ version: z.string(), note: z.string().nullish() }))])
    .nullish()
    .catch(undefined),
  files: z
    .array(z.object({ url: z.string().max(1000), size: z.number().int().nonnegative().optional().catch(undefined) }))
    .catch([]),
});
export type PublishedVersion = z.infer<typeof publishedVersion>;

export interface DownloadProgress {
  readonly percent: number;
  readonly bytes: number;
  readonly bytesPerSecond: number;
}

/** A folder of packages, read by electron-updater. */
export interface UpdateSource {
  /** The newest version if it is newer than this one. */
  check(): Promise<PublishedVersion | undefined>;
  /** Downloads and verifies the package of the version that was found; resolves with its path. */
  download(onProgress: (progress: DownloadProgress) => void): Promise<string>;
  cancel(): void;
  /** Begins to install the downloaded package. Returns whether that quits the app by itself. */
  install(): boolean;
}

/** Error of a download that was cancelled. */
export class Cancelled extends Error {}

/** Release notes as one plain text. */
export function notesOf({ releaseNotes }: PublishedVersion): string | undefined {
  const text =
    typeof releaseNotes === 'string'
      ? releaseNotes
      : (releaseNotes ?? []).map(({ version, note }) => `${version}\n${note ?? ''}`).join('\n\n');
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return trimmed.length > maxReleaseNotes ? `${trimmed.slice(0, maxReleaseNotes - 1)}…` : trimmed;
}

/** Sentences for the errors of electron-updater; others keep the first line of their own text. */
export function updateFault(error: unknown, address: string, name = 'The package'): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND':
      return new Error(`${address} has no ${fileIn(message)}. Check the address of updates in Settings.`);
    case 'ERR_CHECKSUM_MISMATCH':
      return new Error(
        `${name} does not match the SHA-512 that ${address} publishes, so it was deleted and nothing is installed. Download it again; if that fails too, report it to the publisher.`,
      );
    case 'ERR_UPDATER_INVALID_SIGNATURE':
      return new Error(
        `${name} is not signed by the publisher of this Fullhouse, so it was deleted and nothing is installed. Report it to the publisher.`,
      );
    case 'ERR_UPDATER_NO_CHECKSUM':
      return new Error(
        `${address} publishes no SHA-512 of ${name}, so it is not downloaded. Report it to the publisher.`,
      );
    case 'ERR_UPDATER_INVALID_UPDATE_INFO':
    case 'ERR_UPDATER_INVALID_VERSION':
      return new Error(
        `${address} publishes an invalid description of its newest version. Report it to the publisher.`,
      );
    case undefined:
    default:
      return new Error(`Updates at ${address} failed: ${firstLine(message)}. Try again later, or check the address.`);
  }
}

const fileIn = (message: string): string => /"([\w.-]+)"/.exec(message)?.[1] ?? 'latest.yml';
const firstLine = (message: string): string =>
  (String(message).split('\n')[0] ?? '')
    .replace(/^net::ERR_BLOCKED_BY_CLIENT$/, 'a redirect to an insecure address was refused')
    .replace(/\.$/, '');
