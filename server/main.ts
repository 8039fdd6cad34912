import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { setV8Flags } from './v8.ts'

setV8Flags()

// Reuses code compiled at an earlier start, if the folder is writable. Only affects imports from here on.
enableCompileCache(path.join(import.meta.dirname, '../build/compiled'))

import('./env-file.ts')
  .then(({ addEnvFile }) => addEnvFile(process.env, process.cwd(), (line) => console.error(line)))
  .then(() => import('./start.ts'))
  .then(({ start }) => start())
  .catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
