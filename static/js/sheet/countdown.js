// <span data-until="2030-05-02T21:45:00+00:00">: counts the seconds until then. Without this file it shows the time.

const SECOND = 1000;
const left = new Intl.NumberFormat(document.documentElement.lang, { minimumIntegerDigits: 2 });

function tell() {
  for (const part of document.querySelectorAll("[data-until]")) {
    const seconds = Math.max(0, Math.ceil((new Date(part.dataset.until) - Date.now()) / SECOND));
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
    const shown = `${hours ? `${hours}:${left.format(minutes)}` : minutes}:${left.format(seconds % 60)}`;
    const text = `(${shown})`;
    if (part.textContent !== text) part.textContent = text;
  }
}

tell();
setInterval(tell, SECOND);
