/** Sizes of the audience; every number of burners meets each of them. */
const sizes = [5, 20, 50, 100, 200, 300];
const mostBurners = 2;

/** So many runs, spread evenly over sizes and burners: `{ viewers, burners }` of each. */
export function orderOf(runs) {
  return Array.from({ length: runs }, (_, run) => {
    const round = Math.floor(run / (mostBurners + 1));
    return { burners: run % (mostBurners + 1), viewers: sizes[round % sizes.length] };
  });
}
