// How a match goes on: a snapshot and the frame after it are the next snapshot.

/** The snapshot one frame later, as `live.fold` makes it. */
export function fold(shown, told) {
  const results = told.all_results ?? [...shown.results, ...(told.results ?? [])];
  return { ...told.state, results, dice_set: told.dice_set ?? shown.dice_set };
}
