import { externalSource, sampleSource } from '../../model/plan';
import { text, type Kind } from './kind';

/** Of a path on a tester. */
const longestPath = 1000;
const path = text(longestPath);

const isPath = (value: string): boolean => /[/\\.]/.test(value);

/** The path of a media file, which has a slash or an extension. */
export const mediaFile: Kind<string> = {
  ...path,
  read: (field, write) => {
    const value = path.read(field, write);
    return isPath(value) ? value : field.fail(`"${value}" is not the path of a video file, such as small.mp4.`);
  },
};

/** What is published: one of the names, or the path of a media file. */
const source = (names: readonly string[]): Kind<string> => ({
  ...path,
  read: (field, write) => {
    const value = path.read(field, write);
    return isPath(value) ? value : field.oneOf(names, write);
  },
});

export const publishedSource = source([sampleSource, externalSource]);
export const roomSource = source([sampleSource]);
