import { desktopCapturer, systemPreferences, type Session } from 'electron';
import type { Capturable } from '../contract/shell';
import type { CaptureKind } from '../domain/model/localSources';
import { isOwnPage } from './appPage';

/** 16:9, twice as large as shown for dense displays. */
const thumbnailSize = { width: 256, height: 144 } as const;
const thumbnailQuality = 80;

/**
 * Lets our own page publish a screen or a window: it is listed here, chosen in the page, and captured once. Works in
 * Electron 22 as in later ones.
 */
export class Capturing {
  /** Names by id. */
  readonly #listed = new Map<string, string>();
  #chosen: string | undefined;

  constructor(session: Session) {
    session.setDisplayMediaRequestHandler((request, answer) => {
      const id = this.#chosen;
      const name = id === undefined ? undefined : this.#listed.get(id);
      this.#chosen = undefined;
      const isOwn = request.frame && isOwnPage(request.frame.url);
      try {
        answer(isOwn && id !== undefined && name !== undefined ? { video: { id, name } } : {});
      } catch (error) {
        // Electron refuses the request, and reports that as an error of this answer.
        console.error(`A capture was refused: ${String(error)}`);
      }
    });
  }

  /** Rejects with a sentence if the system refuses it. */
  async list(kind: CaptureKind): Promise<Capturable[]> {
    if (process.platform === 'darwin' && systemPreferences.getMediaAccessStatus('screen') === 'denied')
      throw new Error(
        'macOS does not allow Fullhouse to record the screen. Allow it in System Settings, Privacy & Security, Screen Recording, and start Fullhouse again.',
      );
    const sources = await desktopCapturer.getSources({ types: [kind], thumbnailSize });
    for (const source of sources) this.#listed.set(source.id, source.name);
    return sources.map(({ id, name, thumbnail }) => ({
      ...{ id, name },
      thumbnail: `data:image/jpeg;base64,${thumbnail.toJPEG(thumbnailQuality).toString('base64')}`,
    }));
  }

  /** Throws a sentence for one that was not listed. */
  choose(id: string): void {
    if (!this.#listed.has(id)) throw new Error('That screen or window is not listed. Choose one of the list.');
    this.#chosen = id;
  }
}
