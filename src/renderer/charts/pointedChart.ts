import type { ChartId } from '../../domain/model/chartIds';

/** The chart under the pointer or with the focus, for keys that apply to one chart. */
export const pointedChart = (): ChartId | undefined =>
  document.querySelector<HTMLElement>('[data-chart]:is(:focus-within, :hover)')?.dataset['chart'] as
    ChartId | undefined;
