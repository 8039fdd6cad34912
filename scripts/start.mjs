// npm start, npm run dev: makes ready what is missing, then runs the server under the pinned Node.
import { spawn } from 'node:child_process'
import { build, install, node, ROOT } from './setup.mjs'

try {
  install()
  const isDevelopment = process.argv.includes('--dev')
  if (!isDevelopment) build()
  const server = spawn(node(), ['server/main.ts', ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => server.kill(signal))
  server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
