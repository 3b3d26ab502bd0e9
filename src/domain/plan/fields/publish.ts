import { maxPublishers } from '../../model/audienceValues';
import {
  externalSource,
  maxLayers,
  publisherProtocols,
  publisherRate,
  sampleSource,
  type PlanPublish,
} from '../../model/plan';
import { mapKind, type FieldsOf } from './fields';
import { choice, flag, listOf, node, rate, stream, wholeNumber } from './kind';
import { hold } from './pull';
import { publisherSearchKind } from './search';
import { mediaFile, publishedSource } from './source';

export const publishFields: FieldsOf<PlanPublish> = {
  stream: {
    key: 'stream',
    kind: stream,
    help: 'Name of the stream; `{n}` in it is the number of each publisher',
    write: 'Name the stream.',
  },
  node: {
    key: 'node',
    kind: node,
    help: 'The origin that receives it',
    write: 'Name the origin that receives the stream.',
  },
  source: {
    key: 'source',
    kind: publishedSource,
    help: `\`${sampleSource}\`, the path of a video file on the tester, \`stream://NAME\` for a stream of a tester that is a WCS, \`rtsp://…\` for a camera that an origin pulls itself (WCS), or \`${externalSource}\`: it is published elsewhere (the app’s camera, an encoder); see [Publishers](plans.md#publishers)`,
    missing: `Write ${sampleSource}, or ${externalSource} if it is published elsewhere.`,
    write: 'Set the source.',
  },
  simulcast: {
    key: 'simulcast',
    kind: listOf(mediaFile, '', maxLayers - 1),
    help: 'Over WHIP and LiveKit: the smaller layers of a simulcast, up to two video files of the codec and length of the source; see [Publishers](plans.md#publishers)',
    write: 'Write the paths of the smaller files, e.g. [small.mp4, medium.mp4].',
    isOptional: true,
    absent: 'the source only',
  },
  dynacast: {
    key: 'dynacast',
    kind: flag,
    help: 'Over LiveKit’s own signalling (`protocol: livekit`): layers without viewers are paused, as a browser with dynacast does',
    write: 'Write true or false.',
    isOptional: true,
    absent: 'false',
  },
  by: {
    key: 'by',
    kind: node,
    help: 'The tester whose agent, or WCS, publishes it, where the server cannot generate streams itself',
    write: 'Name the tester that publishes it.',
    isOptional: true,
    absent: 'the first tester of the pull that can publish; required without `pull`',
  },
  publishers: {
    key: 'publishers',
    kind: wholeNumber({
      min: 1,
      max: maxPublishers,
      tooMany: (count) => `${count} publishers are too many for one tester; the maximum is ${maxPublishers}.`,
    }),
    label: 'Publishers',
    help: 'So many publishers, each with its own stream',
    write: 'Write the number of publishers, e.g. 500.',
    isOptional: true,
    absent: 'one, of the stream of this name; or `search`',
  },
  oneRoom: {
    key: 'oneRoom',
    kind: flag,
    help: 'For LiveKit: all publishers are participants of one room, which has the name of the stream',
    write: 'Write true or false.',
    isOptional: true,
    absent: 'false',
  },
  ratePerSecond: {
    key: 'rate',
    kind: rate,
    label: 'Rate',
    help: 'At which the publishers start',
    write: 'Write the rate, e.g. 20/s.',
    isOptional: true,
    absent: `\`${publisherRate}/s\``,
  },
  holdMs: {
    key: 'hold',
    kind: hold,
    label: 'Hold',
    help: 'In a plan without `pull`: time with all publishers, from the last one on; see [Publishers alone](plans.md#publishers-alone)',
    write: 'Write it with its unit, e.g. 60s, 2m, 500ms or 1h30m, or until-stopped.',
    isOptional: true,
    absent: 'required without `pull` and `search`; with `pull`, until the last viewer has disconnected',
  },
  search: {
    key: 'search',
    kind: publisherSearchKind,
    help: 'In a plan without `pull`, in place of `publishers` and `hold`: searches for the most publishers; see [Publishers alone](plans.md#publishers-alone)',
    write: 'Write it like search: { from: 20, max: 1000 }.',
    isOptional: true,
    absent: 'no search',
  },
  protocol: {
    key: 'protocol',
    kind: choice(publisherProtocols),
    label: 'Protocol',
    help: 'How a tester publishes it',
    write: 'Name the protocol.',
    isOptional: true,
    absent: 'the first of these that the origin accepts',
  },
};

export const publishKind = listOf(mapKind(publishFields), '');
