import { defineConfig } from '@playwright/test'

const PORT = Number(process.env.E2E_PORT ?? 3210)

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  // A machine that builds other things at the same time may be slow once; what fails twice is broken.
  retries: process.env.CI ? 1 : 0,
  // Generous, for a busy machine: what is not there by then does not come.
  expect: { timeout: 10_000 },
  reporter: process.env.CI ? [['line']] : [['list']],
  globalSetup: './e2e/setup.ts',
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    // Only of what failed once: writing it down takes a quarter of all work of a journey. By hand: --trace on. Without
    // pictures, which take as long as the journey itself: what the page was is in the trace without them.
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
