/** Colour bars as a PNG. */
export async function testPicture(): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(426, 240);
  const context = canvas.getContext('2d');
  const bars = ['#b4b4b4', '#b4b400', '#00b4b4', '#00b400', '#b400b4', '#b40000', '#0000b4'];
  for (const [index, colour] of bars.entries()) {
    if (!context) break;
    context.fillStyle = colour;
    context.fillRect((index * 426) / 7, 0, 426 / 7 + 1, 240);
  }
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  return new Uint8Array(await blob.arrayBuffer());
}
