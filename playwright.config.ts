import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'

const PORT = Number(process.env.E2E_PORT ?? 3210)

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // One more than cores, as in vitest.config.ts: journeys wait for pages, timers and processes half of their time.
  workers: Math.min(availableParallelism() + 1, 8),
  fullyParallel: true,
  timeout: 60_000,
  // One failure may be due to a busy machine; a repeated one is real.
  retries: process.env.CI ? 1 : 0,
  // Generous, for a busy machine; anything slower is a failure.
  expect: { timeout: 10_000 },
  reporter: [[process.env.CI ? 'line' : 'list'], ['./scripts/testing/skips.ts']],
  globalSetup: './e2e/setup.ts',
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    // Only for retries: tracing takes a quarter of a test's total work. Manually: --trace on. No screenshots, which
    // take as long as the test itself: the trace shows the page without them.
    trace: { mode: 'on-first-retry', screenshots: false },
    actionTimeout: 10_000,
    launchOptions: {
      executablePath: process.env.CHROME_PATH || undefined,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        ...(JSON.parse(process.env.CHROME_ARGS || '[]') as string[]),
      ],
    },
  },
})
