/* Calls on this device while no page is open (templates/venue/push.html): this browser is switched on, off and tried. */

const box = document.getElementById("push");
const form = box.querySelector("form");
const wrong = box.querySelector("[role=alert]");
const { key, worker } = box.dataset;

show(await state());
// A browser may have another address by now: who comes here tells us.
if (box.dataset.state === "on") tell("on").catch(() => {});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const act = event.submitter.value;
  wrong.hidden = true;
  box.setAttribute("aria-busy", "true");
  try {
    if (act === "on") await switchOn();
    else if (act === "off") await switchOff();
    else await tell(act);
    box.querySelector("[data-sent]").hidden = act !== "test";
  } catch (error) {
    wrong.textContent = error.message;
    wrong.hidden = false;
  }
  show(await state());
  box.removeAttribute("aria-busy");
});

async function state() {
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return "never";
  if (Notification.permission === "denied") return "denied";
  return (await subscription()) ? "on" : "off";
}

function show(state) {
  box.dataset.state = state;
  for (const part of box.querySelectorAll("[data-when]")) part.hidden = part.dataset.when !== state;
}

async function subscription() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return registration?.pushManager.getSubscription();
}

async function switchOn() {
  // Asked for first, within the tap: some browsers ask only then.
  if ((await Notification.requestPermission()) !== "granted") return;
  await navigator.serviceWorker.register(worker, { scope: "/" });
  const registration = await navigator.serviceWorker.ready;
  const applicationServerKey = Uint8Array.from(
    atob(key.replaceAll("-", "+").replaceAll("_", "/")),
    (letter) => letter.charCodeAt(0),
  );
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  try {
    await tell("on");
  } catch (error) {
    await made.unsubscribe();
    throw error;
  }
}

async function switchOff() {
  const found = await subscription();
  await tell("off");
  await found?.unsubscribe();
}

async function tell(act) {
  const found = await subscription();
  const data = new FormData(form);
  const { endpoint, keys } = found?.toJSON() ?? { endpoint: "", keys: {} };
  data.set("act", act);
  data.set("endpoint", endpoint);
  data.set("public", keys.p256dh ?? "");
  data.set("auth", keys.auth ?? "");
  const answer = await fetch(location.pathname, { method: "POST", body: data });
  if (!answer.ok) throw new Error(await answer.text());
}
