// What a browser shows of what this home tells it, also while none of its pages is open.

addEventListener('push', (event) => {
  let told = {};
  try { told = event.data?.json() ?? {}; } catch { /* Nothing that this home has sent. */ }
  event.waitUntil(registration.showNotification(String(told.title || 'Luna'), {
    body: String(told.text || ''), tag: String(told.tag || ''), icon: '/ui/assets/luna.svg', requireInteraction: told.level === 'alarm',
  }));
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(clients.matchAll({ type: 'window' }).then(([page]) => (page ? page.focus() : clients.openWindow('/ui/'))));
});
