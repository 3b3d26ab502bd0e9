import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { incident, type Incident } from '../../domain/incidents/incident';
import { count } from '../../domain/model/schema';
import { errorText } from '../../domain/text/errorText';
import { BackgroundFile } from '../base/backgroundFile';

/** Far above what 5,000 incidents need. */
const maxCharacters = 64_000_000;

const saved = z.object({ version: z.literal(1), watchedMs: count, incidents: z.array(incident) });

export interface SavedIncidents {
  /** Until when the nodes were watched, Unix ms; absent in a new console. */
  readonly watchedMs?: number;
  readonly incidents: readonly Incident[];
}

/** The incidents of this console; without a path they exist only while the engine runs, as on the command line. */
export class IncidentFile {
  private damaged = false;
  private readonly file: BackgroundFile | undefined;
  /** By the incident, which is replaced when it changes. */
  private readonly masked = new WeakMap<Incident, Incident>();

  constructor(
    private readonly path: string | undefined,
    private readonly problem: (sentence: string) => void,
    /** Sentences may quote a server's answer, with a secret of the node in it. */
    private readonly mask: (incident: Incident) => Incident = (incident) => incident,
  ) {
    if (path !== undefined)
      this.file = new BackgroundFile(path, (why) => problem(`The incidents could not be saved to ${path}: ${why}.`));
  }

  read(): SavedIncidents {
    if (this.path === undefined || !existsSync(this.path)) return { incidents: [] };
    try {
      const text = readFileSync(this.path, 'utf8');
      if (text.length > maxCharacters) throw new Error('it is too long');
      const { watchedMs, incidents } = saved.parse(JSON.parse(text));
      return { watchedMs, incidents };
    } catch (error) {
      this.damaged = true;
      const why = error instanceof z.ZodError ? 'it has another format' : errorText(error);
      this.problem(
        `The incidents in ${this.path} can't be read (${why}). The file is moved aside at the next incident.`,
      );
      return { incidents: [] };
    }
  }

  write(watchedMs: number, incidents: readonly Incident[]): void {
    const aside = this.damaged ? `${this.path}.unreadable` : undefined;
    if (!this.file) return;
    const clean = incidents.map((each) => this.withoutSecrets(each));
    this.file.save(JSON.stringify({ version: 1, watchedMs, incidents: clean }), aside);
    this.damaged = false;
  }

  private withoutSecrets(incident: Incident): Incident {
    const known = this.masked.get(incident) ?? this.mask(incident);
    this.masked.set(incident, known);
    return known;
  }

  /** Resolves when all changes are saved, or that has failed. */
  async whenSaved(): Promise<void> {
    await this.file?.whenSaved();
  }
}
