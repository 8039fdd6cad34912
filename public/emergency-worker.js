// Keeps copies of the emergency pages, so that their numbers are there without internet. Its scope is /emergency: no
// other page passes through here, and nothing else is kept.

const COPIES = 'emergency-copies'
const PAGE = /^\/emergency(\/countries|\/[A-Z]{2})?$/
/** After this time without an answer the copy is shown. */
const MAX_WAIT_MS = 5_000

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('message', (event) => {
  if (event.data?.keep) event.waitUntil(keepPages(new URL(event.data.keep, self.location.origin)))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.mode !== 'navigate' || url.origin !== self.location.origin || !PAGE.test(url.pathname)) return
  event.respondWith(request.method === 'GET' ? show(request, url) : send(request, url))
})

/** The page that asked was fetched before this worker was there; the list of all countries comes along once. */
async function keepPages(url) {
  const copies = await caches.open(COPIES)
  const isListKept = await copies.match('/emergency/countries')
  const wanted = isListKept ? [url] : [url, new URL('/emergency/countries', url)]
  for (const address of wanted) {
    const response = await fetch(address).catch(() => undefined)
    if (response) await keep(address, response)
  }
}

async function keep(url, response) {
  const isPage = response.ok && response.headers.get('content-type')?.startsWith('text/html')
  // What was searched for is not the list.
  if (!isPage || !PAGE.test(url.pathname) || url.searchParams.has('search')) return
  const copies = await caches.open(COPIES)
  // Without a country in the address, the last one that was seen.
  if (/^\/emergency\/[A-Z]{2}$/.test(url.pathname)) await copies.put('/emergency', response.clone())
  await copies.put(url.pathname, response.clone())
}

/** The page from the network; a copy only where that fails or takes too long. */
async function show(request, url) {
  const fresh = fetch(request).then(async (response) => {
    await keep(url, response).catch(() => {})
    return response
  })
  const late = new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))
  const response = await Promise.race([fresh, late]).catch(() => undefined)
  if (response && response.status < 500) return response
  return (await copyOf(url, 'data-kept')) ?? fresh
}

/** A form that could not be sent is never sent later: the page says so, with the number to call. */
async function send(request, url) {
  try {
    return await fetch(request)
  } catch (error) {
    const copy = await copyOf(url, 'data-kept data-unsent')
    if (copy) return copy
    throw error
  }
}

async function copyOf({ pathname }, marks) {
  const copies = await caches.open(COPIES)
  const copy = (await copies.match(pathname)) ?? (await copies.match('/emergency/countries'))
  if (!copy) return undefined
  const html = (await copy.text()).replace('<html ', `<html ${marks} `)
  const headers = new Headers(copy.headers)
  for (const name of ['content-encoding', 'content-length', 'set-cookie']) headers.delete(name)
  return new Response(html, { status: 200, headers })
}
