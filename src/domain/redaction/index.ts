/** What in a run could tell who the customer is, and the same run without it. */
export * from './found';
export { findIdentifying } from './find';
export { previewOf } from './preview';
export { chosenValues, Redactor } from './redact';
