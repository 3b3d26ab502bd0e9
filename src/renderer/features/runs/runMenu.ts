import type { RunSummary } from '../../../domain/model/run';
import type { ExportKind } from '../../parts/run/exportKind';
import type { MenuItem } from '../../ui/menu';
import { testIds } from '../../ui/testIds';

/** Implemented by the list. */
interface RunCommands {
  readonly open: () => void;
  readonly showFile: () => void;
  readonly rename: () => void;
  readonly edit: (what: 'tags' | 'note') => void;
  readonly baseline: () => void;
  readonly export: (kind: ExportKind) => void;
  readonly remove: () => void;
}

/** Everything that can be done with one run: a damaged file can't be read, and an active run is not complete yet. */
export function runMenuItems(run: RunSummary, commands: RunCommands): readonly MenuItem[] {
  const isDamaged = run.verdict === 'damaged';
  const isActive = run.verdict === 'running';
  const open: MenuItem = { id: 'open', text: 'Open', keys: 'Enter', testId: testIds.runOpen, run: commands.open };
  const file: MenuItem = { id: 'folder', text: 'Show in folder', run: commands.showFile };
  const remove: MenuItem = {
    id: 'delete',
    text: 'Delete',
    keys: 'Del',
    isDanger: true,
    startsGroup: true,
    testId: testIds.runDelete,
    run: commands.remove,
  };
  if (isActive) return [open];
  if (isDamaged) return [file, remove];
  return [
    open,
    file,
    {
      id: 'rename',
      text: 'Rename',
      keys: 'F2',
      startsGroup: true,
      testId: testIds.runRename,
      run: commands.rename,
    },
    { id: 'note', text: 'Note', keys: 'F4', run: () => commands.edit('note') },
    { id: 'tags', text: 'Tags', keys: '#', run: () => commands.edit('tags') },
    {
      id: 'baseline',
      text: run.isBaseline ? 'Remove baseline' : 'Mark as baseline',
      keys: 'B',
      run: commands.baseline,
    },
    { id: 'html', text: 'Export report', about: '.html', startsGroup: true, run: () => commands.export('html') },
    { id: 'pdf', text: 'Print to PDF', about: '.pdf', run: () => commands.export('pdf') },
    { id: 'fullhouse', text: 'Export run file', about: '.fullhouse', run: () => commands.export('fullhouse') },
    { id: 'snapshot', text: 'Snapshot for support', run: () => commands.export('snapshot') },
    remove,
  ];
}
