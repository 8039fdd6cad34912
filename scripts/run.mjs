// Runs a TypeScript file of the repository under the pinned Node: node scripts/run.mjs server/cli.ts …
import { runInForeground } from './foreground.mjs'
import { build, install } from './setup.mjs'

try {
  install()
  const [file, ...args] = process.argv.slice(2)
  if (file.startsWith('bench/')) build()
  runInForeground([file, ...args])
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
