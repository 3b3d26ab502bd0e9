import { publishSources, sampleSource, type PlanPublish } from '../../model/plan';
import { mapKind, type FieldsOf } from './fields';
import { choice, listOf, node, stream } from './kind';

export const publishFields: FieldsOf<PlanPublish> = {
  stream: { key: 'stream', kind: stream, help: 'Name of the stream', write: 'Name the stream.' },
  node: {
    key: 'node',
    kind: node,
    help: 'The origin that receives it',
    write: 'Name the origin that receives the stream.',
  },
  source: {
    key: 'source',
    kind: choice(publishSources),
    help: '`external`: it is published elsewhere (the app’s camera, an encoder)',
    missing: `Write ${sampleSource}, or external if it is published elsewhere.`,
    write: 'Set the source.',
  },
  by: {
    key: 'by',
    kind: node,
    help: 'The tester whose agent publishes it, where the server cannot generate streams itself',
    write: 'Name the tester that publishes it.',
    isOptional: true,
    absent: 'the first tester of the pull that can publish',
  },
};

export const publishKind = listOf(mapKind(publishFields), '');
