const blockBytes = 512;

/**
 * A tar archive (ustar) that has the same bytes on every machine: no times, no owners.
 * @param {{ name: string, data?: Uint8Array | string, mode?: number }[]} entries without `data`: a folder
 * @returns {Buffer}
 */
export function tarOf(entries) {
  const blocks = entries.flatMap(({ name, data, mode }) => {
    const isFolder = data === undefined;
    const content = Buffer.from(data ?? '');
    return [
      headerOf(isFolder ? `${name}/` : name, content.length, mode ?? (isFolder ? 0o755 : 0o644), isFolder ? '5' : '0'),
      content,
      Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes),
    ];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]);
}

function headerOf(name, size, mode, type) {
  if (Buffer.byteLength(name) > 100) throw new Error(`The name ${name} is too long for a tar archive.`);
  const header = Buffer.alloc(blockBytes);
  const octal = (value, length) => value.toString(8).padStart(length - 1, '0');
  header.write(name, 0);
  header.write(octal(mode, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(0, 12), 136);
  header.write(' '.repeat(8), 148);
  header.write(type, 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 7)}\0 `, 148);
  return header;
}
