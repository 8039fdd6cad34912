// A browser for the tests, in this order: CHROME_PATH, a system Chromium or Chrome, the @sparticuz/chromium package.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../setup.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Gives { path, what, args }; path is undefined where no browser can be run. */
export async function findChromium() {
  if (process.env.CHROME_PATH) return { path: process.env.CHROME_PATH, what: 'the browser of CHROME_PATH', args: [] }
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...PLACES]
  const system = candidates.find(existsSync)
  if (system) return { path: system, what: system, args: [] }
  const entry = path.join(ROOT, 'node_modules/@sparticuz/chromium/build/index.js')
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(entry))
    return { path: undefined, what: 'none', args: [] }
  const { default: chromium } = await import(pathToFileURL(entry).href)
  return { path: await chromium.executablePath(), what: 'the @sparticuz/chromium package', args: chromium.args }
}
