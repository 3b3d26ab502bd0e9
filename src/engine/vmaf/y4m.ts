import { open, type FileHandle } from 'node:fs/promises';

/** Writes I420 pictures of one size as a YUV4MPEG2 file. */
export class Y4mFile {
  private constructor(private readonly file: FileHandle) {}

  /** Creates a file that only this user can read. */
  static async create(path: string, width: number, height: number): Promise<Y4mFile> {
    const file = await open(path, 'wx', 0o600);
    // The frame rate does not matter: pictures are compared one by one.
    await file.writeFile(`YUV4MPEG2 W${width} H${height} F25:1 Ip A1:1 C420jpeg\n`);
    return new Y4mFile(file);
  }

  async add(picture: Uint8Array): Promise<void> {
    await this.file.writeFile('FRAME\n');
    await this.file.writeFile(picture);
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
