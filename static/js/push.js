/* Web Push on this device (templates/venue/push.html): switch it on or off, or send a test. */

const box = document.getElementById("push");
const form = box.querySelector("form");
const wrong = box.querySelector("[role=alert]");
const { key, worker } = box.dataset;

show(await state());
// The browser's push address may have changed: send it again.
if (box.dataset.state === "on") sendAct("on").catch(() => {});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const act = event.submitter.value;
  wrong.hidden = true;
  box.setAttribute("aria-busy", "true");
  try {
    if (act === "on") await switchOn();
    else if (act === "off") await switchOff();
    else await sendAct(act);
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
  // First, since some browsers ask for permission only directly after a tap.
  if ((await Notification.requestPermission()) !== "granted") return;
  await navigator.serviceWorker.register(worker, { scope: "/" });
  const registration = await navigator.serviceWorker.ready;
  const applicationServerKey = Uint8Array.from(
    atob(key.replaceAll("-", "+").replaceAll("_", "/")),
    (letter) => letter.charCodeAt(0),
  );
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  try {
    await sendAct("on");
  } catch (error) {
    await made.unsubscribe();
    throw error;
  }
}

async function switchOff() {
  const found = await subscription();
  await sendAct("off");
  await found?.unsubscribe();
}

async function sendAct(act) {
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
