import { existsSync, readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { alertRules, defaultRules, maskedRuleFault, type AlertRule } from '../../domain/incidents/rules';
import { ruleFault } from '../../domain/incidents/ruleFault';
import { reasonNotRead } from '../store/failure';
import { BackgroundFile } from '../base/backgroundFile';

const head = `# Rules by which Fullhouse reports incidents: docs/incidents.md. Read when the app starts.\n`;

/** Of 200 rules. */
const maxLength = 1_000_000;

/** The rules of a file; throws one sentence. */
export function readAlertRules(path: string): readonly AlertRule[] {
  const rules = parsedRules(path);
  const fault = maskedRuleFault(rules);
  if (fault !== undefined) throw new Error(fault);
  return rules;
}

function parsedRules(path: string): readonly AlertRule[] {
  let list: unknown;
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length > maxLength) throw new Error('it is too large for a list of rules');
    // No aliases: a list of rules needs none, and a few lines of them expand to gigabytes.
    list = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw new Error(`${reasonNotRead(error)}.`);
  }
  const { data, error } = alertRules.safeParse(list);
  if (error) throw new Error(ruleFault(error, list));
  return data;
}

/** The alert rules as YAML, which a person may edit. */
export class RuleFile {
  private damaged = false;
  private readonly file: BackgroundFile | undefined;

  constructor(
    private readonly path: string | undefined,
    private readonly problem: (sentence: string) => void,
    /** Used instead of those of the file. */
    private readonly given?: readonly AlertRule[],
  ) {
    if (path !== undefined)
      this.file = new BackgroundFile(path, (why) => problem(`The alert rules could not be saved to ${path}: ${why}.`));
  }

  /** The default rules where there is no file, or none that can be read. */
  read(): readonly AlertRule[] {
    if (this.given) return this.given;
    if (this.path === undefined || !existsSync(this.path)) return defaultRules;
    try {
      return readAlertRules(this.path);
    } catch (error) {
      this.damaged = true;
      this.problem(
        `The alert rules in ${this.path} can't be used, so the default ones are: ${(error as Error).message}`,
      );
      return defaultRules;
    }
  }

  write(rules: readonly AlertRule[]): void {
    this.file?.save(head + stringify(rules), this.damaged ? `${this.path}.unreadable` : undefined);
    this.damaged = false;
  }

  /** Resolves when all changes are saved, or that has failed. */
  async whenSaved(): Promise<void> {
    await this.file?.whenSaved();
  }
}
