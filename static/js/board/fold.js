// Fold a match snapshot and the next frame into the next snapshot.

/** The snapshot one frame later, computed as `live.fold` does on the server. */
export function fold(snapshot, frame) {
  const results = frame.all_results ?? [...snapshot.results, ...(frame.results ?? [])];
  return { ...frame.state, results, dice_set: frame.dice_set ?? snapshot.dice_set };
}
