/**
 * Lazy loading of rarely needed code. Many browsers never retry a failed module until the page is reloaded, so nothing
 * is requested while offline.
 */
export async function later<T>(load: () => Promise<T>): Promise<T> {
  // Undefined on the server.
  if (navigator.onLine === false) throw new TypeError('There is no network to fetch code over.')
  return load()
}
