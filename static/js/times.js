/* <time datetime="2030-05-02T19:30:00+02:00" data-format="time">: the server shows the time of the club, or of the account.
   Visitors in another time zone see their local time, with the club's in the title. */

const FORMATS = {
  time: { hour: "2-digit", minute: "2-digit" },
  date: { weekday: "short", day: "numeric", month: "long" },
  datetime: { weekday: "short", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" },
};

export function showTimes() {
  if (document.documentElement.dataset.timeZone) return;
  translate(document);
  document.addEventListener("htmx:afterSettle", (event) => translate(event.target));
}

function translate(root) {
  // As the server writes English: the day first, 24 hours.
  const language = document.documentElement.lang;
  for (const element of root.querySelectorAll(":is(time[datetime], [data-at])[data-format]:not([title])")) {
    const written = element.dateTime ?? element.dataset.at;
    const when = new Date(written);
    const format = FORMATS[element.dataset.format];
    if (!format || Number.isNaN(when.getTime()) || offset(written) === -when.getTimezoneOffset()) continue;
    element.title = element.textContent.trim();
    element.textContent = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
      ...format,
      ...(format.hour && { timeZoneName: "short" }),
    }).format(when);
  }
}

function offset(text) {
  const found = /([+-])(\d\d):?(\d\d)$/.exec(text);
  if (!found) return text.endsWith("Z") ? 0 : undefined;
  return (found[1] === "-" ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3]));
}
