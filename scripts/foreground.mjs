// Runs the one program that a command of the repository is about, and ends with it: signals go to it, and so does the end
// of whoever started this.
import { spawn } from 'node:child_process'
import { node, ROOT } from './setup.mjs'

const PARENT_LOOK_MS = 250
// npm runs this under a shell that ends at a signal without a word to anybody.
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

// Only what npm started: a server that somebody put into the background outlives the shell.
const isOrphan = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== parent
