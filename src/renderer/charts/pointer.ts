import type { ChartId } from '../../domain/model/chartIds';
import type { ChartView } from './chartView';
import type { GridState } from './gridState.svelte';

/** A press that moves less than this is a click. */
const dragPx = 4;

export interface PointerCallbacks {
  readonly onMarkClick: (events: readonly number[]) => void;
  readonly onRunClick: (run: string) => void;
  readonly onMenu: (x: number, y: number) => void;
}

/**
 * Pointer on a chart: moves the crosshair of all charts, drag zooms all, double-click resets, a click on a mark reports
 * its events, one on the bar of a run opens it, right-click opens the menu. Returns the cleanup function.
 */
export function listenToPointer(
  element: HTMLElement,
  chart: ChartId,
  view: ChartView,
  grid: GridState,
  { onMarkClick, onRunClick, onMenu }: PointerCallbacks,
): () => void {
  let pressedX: number | undefined;
  const at = (event: MouseEvent): { x: number; y: number } => {
    const { left, top } = element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const onMove = (event: PointerEvent): void => {
    const { x, y } = at(event);
    grid.point(chart, view.timeAt(x));
    element.style.cursor = view.markAt(x, y) || view.runAt(x, y) ? 'pointer' : 'crosshair';
    if (pressedX === undefined || (grid.selection === undefined && Math.abs(x - pressedX) < dragPx)) return;
    grid.selection = { fromMs: view.timeAt(pressedX), toMs: view.timeAt(x) };
  };
  const onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    pressedX = at(event).x;
    element.setPointerCapture(event.pointerId);
  };
  const onUp = (event: PointerEvent): void => {
    const { x, y } = at(event);
    const isClick = grid.selection === undefined && pressedX !== undefined;
    const mark = isClick ? view.markAt(x, y) : undefined;
    const run = isClick ? view.runAt(x, y) : undefined;
    pressedX = undefined;
    grid.endSelection();
    if (run && !mark) onRunClick(run.id);
    if (!mark) return;
    grid.axis.jumpTo(mark.mark.timeMs);
    onMarkClick(mark.events);
  };
  const onCancel = (): void => {
    pressedX = undefined;
    grid.selection = undefined;
  };
  const onLeave = (): void => {
    if (pressedX === undefined) grid.leave();
  };
  const onDouble = (): void => grid.axis.reset();
  const onContext = (event: MouseEvent): void => {
    event.preventDefault();
    onMenu(event.clientX, event.clientY);
  };
  element.addEventListener('pointermove', onMove);
  element.addEventListener('pointerdown', onDown);
  element.addEventListener('pointerup', onUp);
  element.addEventListener('pointercancel', onCancel);
  element.addEventListener('pointerleave', onLeave);
  element.addEventListener('dblclick', onDouble);
  element.addEventListener('contextmenu', onContext);
  return () => {
    element.removeEventListener('pointermove', onMove);
    element.removeEventListener('pointerdown', onDown);
    element.removeEventListener('pointerup', onUp);
    element.removeEventListener('pointercancel', onCancel);
    element.removeEventListener('pointerleave', onLeave);
    element.removeEventListener('dblclick', onDouble);
    element.removeEventListener('contextmenu', onContext);
  };
}
