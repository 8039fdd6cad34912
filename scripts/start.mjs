// npm start, npm run dev: prepares what is missing, then runs the server under the pinned Node.
import { runInForeground } from './foreground.mjs'
import { build, install } from './setup.mjs'

const HELP = `Usage: npm start [-- --help]        the portal, built when that is needed
       npm run dev [-- --help]      the same, reloading while you edit

Settings come from the environment, or from a file .env in the current directory:

  PORT, HOST       where it listens (3000, 127.0.0.1)
  PUBLIC_URL       the address people use
  DATA_DIR         the embedded database and the files (./data)
  DATABASE_URL     postgres://… in place of the embedded database
  DATABASE_SYNC    off: faster, and a power cut may take the whole embedded database
  NODE_ENV         production where people rely on it
  LOG_LEVEL        debug, info, warn, error, silent

All of them, and how to run the portal for real: docs/operating.md
Commands of an administrator: npm run portal -- --help
SIGTERM or Ctrl+C ends it within five seconds; a second one ends it at once.`

const args = process.argv.slice(2)
const unknown = args.filter((arg) => !['--dev', '--help', '-h'].includes(arg))

if (args.includes('--help') || args.includes('-h')) console.log(HELP)
else if (unknown.length > 0) {
  console.error(`There is no option ${unknown.join(' ')}. Settings go into the environment.\n\n${HELP}`)
  process.exitCode = 2
} else
  try {
    install()
    if (!args.includes('--dev')) build()
    runInForeground(['server/main.ts', ...args], { isServer: true })
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
