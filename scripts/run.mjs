// Runs a TypeScript file of the repository under the pinned Node: node scripts/run.mjs server/cli.ts …
import { spawn } from 'node:child_process'
import { build, install, node, ROOT } from './setup.mjs'

try {
  install()
  const [file, ...args] = process.argv.slice(2)
  if (file.startsWith('bench/')) build()
  const child = spawn(node(), [file, ...args], { cwd: ROOT, stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
