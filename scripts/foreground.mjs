// Runs the main program of a command and exits with it: forwards signals, and ends it when the parent process ends.
import { spawn } from 'node:child_process'
import { node, ROOT } from './setup.mjs'

const PARENT_LOOK_MS = 250
// npm runs this under a shell that exits on a signal without forwarding it.
const parent = process.ppid

/** Runs a file under the pinned Node in the foreground. `isServer` also ends it when this process is killed. */
export function runInForeground(args, { isServer = false } = {}) {
  if (isOrphan()) process.exit(143)
  const child = spawn(node(), args, {
    cwd: ROOT,
    stdio: isServer ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const watch = setInterval(() => {
    if (!isOrphan()) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, PARENT_LOOK_MS)
  watch.unref()
  child.on('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGTERM' ? 143 : 1)))
}

// Only if started by npm: a server put into the background manually outlives its shell.
const isOrphan = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== parent
