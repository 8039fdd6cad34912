// Finds a browser for the tests, in this order: CHROME_PATH, the @sparticuz/chromium package, a system Chromium or
// Chrome. The package is the headless shell only, which starts in a sixth of the time of a full browser.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../setup.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const MODULES = path.join(ROOT, 'node_modules')
/** Unpacked inside the package folder, so that installing a new version removes it. */
const UNPACKED = path.join(MODULES, '.chromium')

/**
 * Returns { path, whole, what, args }; path is undefined if no browser can be run, whole if there is no full browser
 * with features beyond page rendering, such as notifications.
 */
export async function findChromium() {
  const own = process.env.CHROME_PATH
  if (own) return { path: own, whole: own, what: 'the browser of CHROME_PATH', args: [] }
  const whole = installedBrowser()
  const packaged = await packagedChromium()
  if (packaged && runs(packaged)) return { path: packaged, whole, what: 'the @sparticuz/chromium package', args: [] }
  return { path: whole, whole, what: whole ?? 'none', args: [] }
}

function installedBrowser() {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return [...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...PLACES].find(existsSync)
}

async function packagedChromium() {
  const entry = path.join(MODULES, '@sparticuz/chromium/build/index.js')
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(entry)) return undefined
  if (!existsSync(UNPACKED)) await unpack(entry)
  return path.join(UNPACKED, 'run')
}

const runs = (binary) => spawnSync(binary, ['--version'], { stdio: 'ignore' }).status === 0

/**
 * The package unpacks its libraries and fonts only on platforms it recognises, and under shared names in the temporary
 * directory. Here everything goes into one folder, which appears only when complete. Its flags are for those platforms
 * too: some switch off what the tests check.
 */
async function unpack(entry) {
  const { inflate } = await import(pathToFileURL(entry).href)
  const folder = mkdtempSync(`${UNPACKED}-`)
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  try {
    const archives = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br']
    await Promise.all(archives.map((name) => inflate(path.join(entry, '../../bin', name))))
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
  writeFileSync(path.join(folder, 'run'), starter(path.join(folder, 'chromium')), { mode: 0o755 })
  writeFileSync(path.join(folder, 'fonts/fonts.conf'), FONTS)
  try {
    renameSync(folder, UNPACKED)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    // Another process was first.
    if (!existsSync(UNPACKED)) throw error
  }
}

/** Prefers the machine's own libraries and fonts, which fit it best. */
function starter(binary) {
  return `#!/bin/sh
here=$(dirname "$0")
${runs(binary) ? '' : 'export LD_LIBRARY_PATH="$here/al2023/lib"'}
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_PATH="$here/fonts"
exec "$here/chromium" "$@"
`
}

const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir><dir>/usr/share/fonts</dir></fontconfig>
`
