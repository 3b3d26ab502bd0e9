import type { ChartSpec } from '../../domain/charts/charts';
import type { ChartId } from '../../domain/model/chartIds';
import type { MenuItem } from '../ui/menu';

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

/** An entry of a chart's menu. */
export const chartAction = (
  id: string,
  text: string,
  run: () => void,
  more?: Pick<MenuItem, 'keys' | 'isDisabled' | 'startsGroup'>,
): MenuItem => ({ id, text, run, data: { 'data-action': id }, ...more });

/** Menu entries that arrange a chart. Their keys work while the chart has focus. */
export function chartActions(id: ChartId, arranger: ChartArranger): readonly MenuItem[] {
  const { shown } = arranger;
  const at = shown.findIndex((chart) => chart.id === id);
  const move = (name: string, text: string, keys: string, to: number, isEnabled: boolean): MenuItem =>
    chartAction(name, text, () => arranger.move(id, to), { keys, isDisabled: !isEnabled });
  return [
    chartAction(
      'edit',
      id.startsWith('custom:') ? 'Edit chart' : 'Add chart with these series',
      () => arranger.edit(id),
      { startsGroup: true },
    ),
    move('move-left', 'Move left', 'Alt ←', at - 1, at > 0),
    move('move-right', 'Move right', 'Alt →', at + 1, at >= 0 && at < shown.length - 1),
    move('move-first', 'Move first', 'Alt Home', 0, at > 0),
    chartAction('fold', 'Collapse', () => arranger.fold(id)),
    chartAction('remove', 'Remove', () => arranger.remove(id), { keys: 'Alt Del' }),
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
  actions: readonly MenuItem[],
): MenuItem | undefined {
  if (!altKey || ctrlKey || metaKey) return undefined;
  return actions.find((action) => !action.isDisabled && action.id === actionOfKey[key]);
}
