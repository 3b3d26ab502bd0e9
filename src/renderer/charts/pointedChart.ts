import type { ChartId } from '../../domain/model/chartIds';

const idOf = (card: HTMLElement | null): ChartId | undefined => card?.dataset['chart'] as ChartId | undefined;

/** The chart under the pointer or with the focus, for keys that apply to one chart. */
export const pointedChart = (): ChartId | undefined =>
  idOf(document.querySelector<HTMLElement>('[data-chart]:is(:focus-within, :hover)'));

/** The charts on the screen that have more lines than can be told apart. */
export const chartsOfManyLines = (): readonly ChartId[] =>
  [...document.querySelectorAll<HTMLElement>('[data-chart][data-many]')].flatMap((card) => idOf(card) ?? []);
