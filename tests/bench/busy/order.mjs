/** Sizes of the audience, each combined with every number of burners. */
const sizes = [5, 20, 50, 100, 200, 300];
const maxBurners = 2;

/** This number of runs, spread evenly over sizes and burners: `{ viewers, burners }` of each. */
export function orderOf(runs) {
  return Array.from({ length: runs }, (_, run) => {
    const round = Math.floor(run / (maxBurners + 1));
    return { burners: run % (maxBurners + 1), viewers: sizes[round % sizes.length] };
  });
}
