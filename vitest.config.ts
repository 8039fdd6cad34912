import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { SlowFirst } from './scripts/testing/sequencer.ts'
import { SkipReporter } from './scripts/testing/skips.ts'

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
    reporters: ['default', new SkipReporter()],
    // No isolation: modules are shared and databases cloned. One worker more than cores, since most wait for a
    // database, and not more than its connections allow. Processes rather than threads, because a native module that
    // crashes in a thread silently ends the whole run.
    pool: 'forks',
    // As server/v8.ts sets it for the portal.
    execArgv: ['--no-wasm-code-gc'],
    isolate: false,
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    sequence: { sequencer: SlowFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // As in the browser tests: generous for a busy machine; anything slower is a failure.
    expect: { poll: { timeout: 10_000 } },
  },
})
