import { roomSizes, type PlanRooms } from '../../model/audienceValues';
import { sampleSource } from '../../model/plan';
import { mapKind, type FieldsOf } from './fields';
import { wholeNumber } from './kind';
import { roomSource } from './source';

export const roomsFields: FieldsOf<PlanRooms> = {
  size: {
    key: 'size',
    kind: wholeNumber({
      ...roomSizes,
      tooMany: (size) => `${size} participants are too many for one room; the maximum is ${roomSizes.max}.`,
    }),
    help: 'Participants of each room; `viewers` of the audience must be a multiple of it',
    write: 'Write the number of participants of each room, e.g. 7.',
    example: 7,
  },
  source: {
    key: 'source',
    kind: roomSource,
    label: 'Source',
    help: 'What each participant publishes: `sample-240p`, or the path of a video file on the testers',
    write: `Write ${sampleSource}, or the path of a video file on the testers.`,
    default: sampleSource,
  },
};

export const roomsKind = mapKind(roomsFields);
