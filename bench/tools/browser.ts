import path from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { ROOT } from './processes.ts'

/** Bytes on the wire, compressed. */
export interface BytesSent {
  bodies: number
  headers: number
}

/** Load metrics of a page on a low-end phone. Times in milliseconds. */
export interface PageLoad {
  firstPaint: number
  largestPaint: number
  blocking: number
  shift: number
  scripts: BytesSent
  all: BytesSent
  requests: { url: string; type: string }[]
}

/** Lighthouse's "slow 4G": 150 ms round trip, 1.6 Mb/s down, 0.75 Mb/s up, as the browser throttles requests. */
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6 * 0.9 * 1024 * 1024) / 8,
  uploadThroughput: (0.75 * 0.9 * 1024 * 1024) / 8,
}
const CPU_SLOWDOWN = 4
const QUIET_MS = 1_500

// Runs in the page before any of its own scripts.
const OBSERVE = `
  const seen = (window.__seen = { largestPaint: 0, firstPaint: 0, shift: 0, blocking: 0 })
  const on = (type, add) => new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true })
  on('largest-contentful-paint', (e) => { seen.largestPaint = e.startTime })
  on('paint', (e) => { if (e.name === 'first-contentful-paint') seen.firstPaint = e.startTime })
  on('layout-shift', (e) => { if (!e.hadRecentInput) seen.shift += e.value })
  on('longtask', (e) => { seen.blocking += Math.max(0, e.duration - 50) })`

export async function openBrowser(): Promise<Browser> {
  const file: string = path.join(ROOT, 'scripts/testing/chromium.mjs')
  const found = await (await import(file)).findChromium()
  // Prefer a full browser, as users have; the headless shell is faster.
  const executablePath = found.whole ?? found.path
  if (!executablePath) throw new Error('No browser was found. Install Chromium or set CHROME_PATH.')
  console.error(`  browser: ${executablePath}`)
  const onlyThisMachine = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', onlyThisMachine, ...found.args],
  })
}

/** Loads a page once as a new visitor on a small phone, with slow 4G and 4× CPU throttling. */
export async function loadPage(browser: Browser, url: string): Promise<PageLoad> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })

  const requests = new Map<string, Request>()
  devtools.on('Network.responseReceived', ({ requestId, type, response }) =>
    requests.set(requestId, { url: response.url, type, headers: response.encodedDataLength, bodies: 0 }),
  )
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId)
    if (request) request.bodies = Math.max(0, encodedDataLength - request.headers)
  })
  await page.addInitScript({ content: OBSERVE })
  await page.goto(url, { waitUntil: 'networkidle', timeout: 60_000 })
  await page.waitForTimeout(QUIET_MS)
  const seen =
    await page.evaluate<Pick<PageLoad, 'firstPaint' | 'largestPaint' | 'blocking' | 'shift'>>('window.__seen')
  await context.close()
  const all = [...requests.values()]
  return {
    ...seen,
    scripts: total(all.filter(({ type }) => type === 'Script')),
    all: total(all),
    requests: all.map(({ url, type }) => ({ url, type })),
  }
}

interface Request extends BytesSent {
  url: string
  type: string
}

function total(requests: Request[]): BytesSent {
  const sum = (bytes: (request: Request) => number) => requests.reduce((before, request) => before + bytes(request), 0)
  return { bodies: sum(({ bodies }) => bodies), headers: sum(({ headers }) => headers) }
}
