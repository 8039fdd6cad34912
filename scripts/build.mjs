// npm run build: prepares everything a start needs, so that a start under a process manager builds nothing.
import { build, install } from './setup.mjs'

try {
  install()
  build()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
