/* Enhancements of all pages, which work without this file. */

import { closeMenus, showTabs } from "./menu.js";
import { openDialogs } from "./dialog.js";
import { keepToasts } from "./toast.js";
import { chooseTheme } from "./theme.js";
import { guardForms } from "./forms.js";
import { checkSizes } from "./sizes.js";
import { showTimes } from "./times.js";
import { copyTexts } from "./copy.js";
import { tickAll } from "./tick.js";
import { guessZone } from "./zone.js";
import { findAnywhere } from "./find.js";
import { watchBeginnings } from "./begun.js";
import { watchCalls } from "./called.js";
import { keepWork, orderNews } from "./swaps.js";

closeMenus();
showTabs();
openDialogs();
keepToasts();
chooseTheme();
guardForms();
checkSizes();
showTimes();
copyTexts();
tickAll();
guessZone();
findAnywhere();
watchBeginnings();
watchCalls();
keepWork();
orderNews();

// Loaded separately: menus work even if live updates cannot be loaded.
Promise.all([import("./live.js"), import("./parts.js")]).then(
  ([live, parts]) => {
    parts.watchParts();
    live.connect();
  },
  (error) => console.error(error),
);

if ("serviceWorker" in navigator) import("./worker.js").catch((error) => console.error(error));
