/** Finds what in a run could identify the customer, and removes it. */
export * from './identifyingValues';
export {
  columnRules,
  eventShape,
  metaShapes,
  stillShape,
  valueShapes,
  viewerShape,
  viewShape,
  type Shape,
} from './classification';
export { findIdentifying } from './find';
export { previewOf } from './preview';
export { chosenValues, Redactor } from './redact';
