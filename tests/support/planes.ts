import { packedPlane, type Plane } from '../../src/renderer/player/picture/plane';

/** Pictures of one component with known content and known damage. */

export function planeOf(width: number, height: number, level: (x: number, y: number) => number): Plane {
  const bytes = Uint8Array.from({ length: width * height }, (_, at) =>
    Math.max(0, Math.min(255, Math.round(level(at % width, Math.floor(at / width))))),
  );
  return packedPlane(bytes, width, height);
}

/** Waves, edges at no multiple of 4 and fine texture, with a fixed seed. */
export function texture(width: number, height: number): Plane {
  let seed = 1;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  return planeOf(width, height, (x, y) => {
    const waves = 40 * Math.sin(x / 9) + 30 * Math.cos(y / 13) + 12 * Math.sin((x + 2 * y) / 5);
    const edge = (x > 0.37 * width ? 25 : 0) - (y > 0.61 * height ? 20 : 0);
    return 120 + waves + edge + 14 * (random() - 0.5);
  });
}

const at = ({ bytes, width, height }: Plane, x: number, y: number): number =>
  bytes[Math.max(0, Math.min(height - 1, y)) * width + Math.max(0, Math.min(width - 1, x))] ?? 0;

/** Mean of the square of `2 * radius + 1` samples around each. */
export function blurred(plane: Plane, radius: number): Plane {
  const offsets = Array.from({ length: 2 * radius + 1 }, (_, index) => index - radius);
  return planeOf(plane.width, plane.height, (x, y) => {
    let sum = 0;
    for (const dy of offsets) for (const dx of offsets) sum += at(plane, x + dx, y + dy);
    return sum / offsets.length ** 2;
  });
}

/** Each block of `size` moved towards its mean: 0 as it was, 1 blocks of one level. */
export function blocked(plane: Plane, size: number, strength: number): Plane {
  const means = planeOf(Math.ceil(plane.width / size), Math.ceil(plane.height / size), (column, row) => {
    let sum = 0;
    for (let y = 0; y < size; y += 1)
      for (let x = 0; x < size; x += 1) sum += at(plane, column * size + x, row * size + y);
    return sum / size ** 2;
  });
  return planeOf(plane.width, plane.height, (x, y) => {
    const mean = at(means, Math.floor(x / size), Math.floor(y / size));
    return (1 - strength) * at(plane, x, y) + strength * mean;
  });
}
