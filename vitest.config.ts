import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const folder = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^#server\//, replacement: folder('./server/') },
      { find: /^#shared\//, replacement: folder('./shared/') },
      { find: /^#web\//, replacement: folder('./web/') },
    ],
  },
  test: {
    include: [
      'server/**/*.test.ts',
      'shared/**/*.test.ts',
      'web/**/*.test.{ts,tsx}',
      'scripts/**/*.test.ts',
      'evaluate/**/*.test.ts',
    ],
    setupFiles: ['scripts/testing/properties.ts'],
    // Modules are shared and databases cloned: none isolated, and one more than cores, since most wait for a database.
    // Processes, since a native module that fails in a thread takes the whole run with it, without a word.
    pool: 'forks',
    // As server/v8.ts has it for the portal.
    execArgv: ['--no-wasm-code-gc'],
    isolate: false,
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // As for journeys: what is waited for comes late on a busy machine, and what is not there by then does not come.
    expect: { poll: { timeout: 10_000 } },
  },
})
