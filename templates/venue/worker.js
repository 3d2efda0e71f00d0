/* Shows a call where no page of ours is open. It keeps nothing and answers no requests. */

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const { title, body, tag, url } = event.data.json();
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      data: { url },
      renotify: true,
      requireInteraction: true,
      vibrate: [400, 200, 400, 200, 800],
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data.url, self.location.origin).href));
});

// A page that is open comes to the front; it shows the card by itself.
async function open(address) {
  const pages = await self.clients.matchAll({ type: "window" });
  if (pages.length) return pages[0].focus();
  return self.clients.openWindow(address);
}
