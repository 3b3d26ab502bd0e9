import type { Alignment } from '../../../domain/compare/curves';
import type { DelayTable } from '../../../domain/delay/table';
import type { Plan } from '../../../domain/model/plan';
import { planFileName, planToYaml } from '../../../domain/plan/planText';
import type { RunSummary } from '../../../domain/model/run';
import type { RedactionChoice } from '../../../domain/redaction/identifyingValues';
import type { ComparisonKind } from '../../../contract/libraryCalls';
import type { ShellApi } from '../../../contract/shell';
import { extensions, formOf, type ExportKind } from '../../parts/run/exportKind';
import type { Notices } from '../../ui/notices/notices.svelte';
import { noticeOfSaved } from '../../ui/notices/savedFile';

type NamedRun = Pick<RunSummary, 'id' | 'name'>;
type Saved = { readonly path: string } | null | undefined;

/** Files that the window saves, each in a dialog of the shell, and the clipboard. */
export class SavedFiles {
  /** The run of the open snapshot dialog. */
  sharing = $state.raw<NamedRun>();

  constructor(
    private readonly shell: ShellApi,
    private readonly notices: Notices,
  ) {}

  /** Log, versions, settings and nodes without secrets. */
  async saveDiagnostics(): Promise<void> {
    await this.#save(() => this.shell.call('shell.saveDiagnostics', {}));
  }

  async showCrashFiles(): Promise<void> {
    await this.notices.attempt(() => this.shell.call('shell.showCrashFiles', {}));
  }

  /** Returns whether a file was written. */
  async exportRun(run: NamedRun, kind: ExportKind): Promise<boolean> {
    if (kind === 'snapshot') {
      this.sharing = { id: run.id, name: run.name };
      return false;
    }
    const { form, isRedacted } = formOf(kind);
    // A redacted file must not have a name in its file name.
    const suggestedName = `${isRedacted ? 'run' : fileName(run.name)}.${extensions[form]}`;
    // Printing a report takes seconds, after its dialog is closed.
    let working: number | undefined;
    const stop = this.shell.on('exporting', ({ path, isPrinted }) => {
      working = this.notices.working(`${isPrinted ? 'Printing' : 'Writing'} ${path}`);
    });
    const path = await this.#save(() =>
      this.shell.call('shell.export', { run: run.id, kind: form, suggestedName, isRedacted }),
    );
    stop();
    if (working !== undefined) this.notices.close(working);
    return path !== undefined;
  }

  /** One after the other; cancelling one cancels the rest. */
  async exportRuns(runs: readonly RunSummary[], kind: ExportKind): Promise<void> {
    for (const run of runs) if (!(await this.exportRun(run, kind))) return;
  }

  async exportComparison(runs: readonly string[], kind: ComparisonKind, alignment: Alignment): Promise<void> {
    const suggestedName = `comparison.${kind === 'srs' ? 'md' : kind}`;
    await this.#save(() =>
      this.shell.call('shell.exportComparison', { runs: [...runs], kind, alignment, suggestedName }),
    );
  }

  /** Returns its path; undefined if it was not written, with a report of a problem. */
  async saveSnapshot(run: NamedRun, choice: RedactionChoice): Promise<string | undefined> {
    const saved = await this.notices.attempt(() =>
      this.shell.call('shell.snapshot', { run: run.id, choice, suggestedName: 'snapshot.fullhouse' }),
    );
    return saved?.path;
  }

  /** Opens a saved copy for reading; returns its id. */
  async openSnapshot(path: string): Promise<string | undefined> {
    const opened = await this.notices.attempt(() => this.shell.call('shell.openSnapshot', { path }));
    return opened?.run;
  }

  async exportPng(run: NamedRun | undefined, chart: string, data: Uint8Array): Promise<void> {
    const suggestedName = `${run ? fileName(run.name) : 'fullhouse'}-${chart}.png`;
    await this.#save(() => this.shell.call('shell.savePng', { suggestedName, data }));
  }

  /** Asks where to save a plan as YAML; returns the path. */
  async savePlan(plan: Plan): Promise<string | undefined> {
    return this.saveText(planFileName(plan), planToYaml(plan));
  }

  /** Asks where to save a text as YAML; returns the path. */
  async saveText(suggestedName: string, text: string): Promise<string | undefined> {
    return this.#save(() => this.shell.call('shell.saveText', { suggestedName, text }));
  }

  /** Asks where to save a delay table, so that it can be opened elsewhere. */
  async saveDelays(table: DelayTable): Promise<void> {
    const text = `${JSON.stringify(table, undefined, 2)}\n`;
    const suggestedName = `${fileName(table.name)}.delay.json`;
    await this.#save(() => this.shell.call('shell.saveText', { suggestedName, text, kind: 'delays' }));
  }

  /** Asks which file of a delay table to open; undefined when cancelled. */
  async openDelays(): Promise<{ readonly name: string; readonly text: string } | undefined> {
    return (await this.notices.attempt(() => this.shell.call('shell.openText', { kind: 'delays' }))) ?? undefined;
  }

  /** Asks where to save a list of incidents. */
  async saveIncidents(kind: 'csv' | 'json', text: string): Promise<void> {
    await this.#save(() => this.shell.call('shell.saveIncidents', { kind, text }));
  }

  copy(text: string): void {
    void this.notices
      .attempt(() => this.shell.call('shell.copyText', { text }))
      .then((copied) => {
        if (copied) this.notices.done('Copied.');
      });
  }

  showInFolder(run: string): void {
    void this.notices.attempt(() => this.shell.call('shell.showInFolder', { run }));
  }

  /** Returns the path; reports it, or a problem. */
  async #save(act: () => Promise<Saved>): Promise<string | undefined> {
    const saved = await this.notices.attempt(act);
    if (saved) noticeOfSaved(this.shell, this.notices, saved.path);
    return saved?.path;
  }
}

function fileName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return plain.slice(0, 100) || 'run';
}
