// npm run sbom [file]: writes the runtime dependencies of the portal as CycloneDX 1.5, and fails on licences that are
// not permitted. Without a file it writes to standard output.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { refusedLicences } from './licences.mjs'
import { install, ROOT } from './setup.mjs'

install()
const refused = refusedLicences(JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')))
if (refused.length > 0) {
  console.error(`These packages have a licence that is not allowed (scripts/licences.mjs):\n  ${refused.join('\n  ')}`)
  process.exit(1)
}
const made = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  shell: process.platform === 'win32',
})
if (made.status !== 0) {
  console.error(`npm could not list the packages (npm 10 or newer is needed):\n${made.stderr}`)
  process.exit(1)
}
const [, , file] = process.argv
if (file) {
  writeFileSync(file, made.stdout)
  console.error(`› ${JSON.parse(made.stdout).components.length} packages written to ${file}`)
} else process.stdout.write(made.stdout)
