/* <select data-guess-zone>: whoever starts a club most likely lives by its clock. */

export function guessZone() {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const select of document.querySelectorAll("select[data-guess-zone]")) {
    // Who was quicker than this file has chosen already.
    const isChosen = !select.selectedOptions[0].defaultSelected;
    if (!isChosen && [...select.options].some((option) => option.value === zone)) select.value = zone;
  }
}
