import type { ChartSpec } from '../../domain/charts/charts';
import type { ChartId } from '../../domain/model/chartIds';
import type { ChartAction } from './chartAction';

/** Operations on the arrangement of the charts. */
export interface ChartArranger {
  /** In the order of the grid. */
  readonly shown: readonly ChartSpec[];
  move(id: ChartId, to: number): void;
  fold(id: ChartId): void;
  remove(id: ChartId): void;
  /** Edits a custom chart, or starts one with the series of this one. */
  edit(id: ChartId): void;
}

/** Menu entries that arrange a chart. Their keys work while the chart has focus. */
export function chartActions(id: ChartId, arranger: ChartArranger): readonly ChartAction[] {
  const { shown } = arranger;
  const at = shown.findIndex((chart) => chart.id === id);
  const move = (name: string, title: string, keys: string, to: number, isEnabled: boolean): ChartAction => ({
    id: name,
    title,
    keys,
    isEnabled,
    run: () => arranger.move(id, to),
  });
  return [
    {
      id: 'edit',
      title: id.startsWith('custom:') ? 'Edit chart' : 'Add chart with these series',
      isEnabled: true,
      startsGroup: true,
      run: () => arranger.edit(id),
    },
    move('move-left', 'Move left', 'Alt ←', at - 1, at > 0),
    move('move-right', 'Move right', 'Alt →', at + 1, at >= 0 && at < shown.length - 1),
    move('move-first', 'Move first', 'Alt Home', 0, at > 0),
    { id: 'fold', title: 'Fold', isEnabled: true, run: () => arranger.fold(id) },
    { id: 'remove', title: 'Remove', keys: 'Alt Del', isEnabled: true, run: () => arranger.remove(id) },
  ];
}

const actionOfKey: Readonly<Record<string, string>> = {
  ArrowLeft: 'move-left',
  ArrowRight: 'move-right',
  Home: 'move-first',
  Delete: 'remove',
};

/** The action of a key pressed while a chart has focus. */
export function chartActionOfKey(
  { key, altKey, ctrlKey, metaKey }: KeyboardEvent,
  actions: readonly ChartAction[],
): ChartAction | undefined {
  if (!altKey || ctrlKey || metaKey) return undefined;
  return actions.find((action) => action.isEnabled && action.id === actionOfKey[key]);
}
