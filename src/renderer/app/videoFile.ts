/** Whether a file is a video, by the type that the system knows or by its name. */
export const isVideoFile = ({ type, name }: Pick<File, 'type' | 'name'>): boolean =>
  type.startsWith('video/') || /\.(mp4|m4v|mov|webm|mkv)$/i.test(name);
