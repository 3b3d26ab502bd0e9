/** Finds what in a run could identify the customer, and removes it. */
export * from './identifyingValues';
export { findIdentifying } from './find';
export { previewOf } from './preview';
export { chosenValues, Redactor } from './redact';
