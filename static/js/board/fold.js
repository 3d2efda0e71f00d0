// Fold a match snapshot and the next frame into the next snapshot.

/** The snapshot one frame later, computed as `live.fold` does on the server. */
export function fold(shown, told) {
  const results = told.all_results ?? [...shown.results, ...(told.results ?? [])];
  return { ...told.state, results, dice_set: told.dice_set ?? shown.dice_set };
}
