import path from 'node:path'
import type { TestCase as Journey, Reporter as JourneyReporter, TestResult } from '@playwright/test/reporter'
import type { Reporter, TestModule } from 'vitest/node'

const WHOLE_DOCUMENTS = 'whole documents that are not ours to publish; an extract of each in fixtures/ is always tested'
const NO_SERVER = 'what only a PostgreSQL server does; runs when npm test has found one'
const ONE_BROWSER = 'only a whole browser shows notifications; runs when npm test has found one'
const LINUX = 'the behaviour exists on Linux alone'
const OPTIONAL_PROGRAM = 'checks an example file by the program that reads it, where that is installed'
const NOT_ROOT = 'root reads every file'

/** Which tests may be skipped, by file, and why. Where `CI` is set, any other skipped test fails the run. */
export const ALLOWED_SKIPS: Record<string, string> = {
  'server/advisories/feeds/readers/au.test.ts': WHOLE_DOCUMENTS,
  'server/advisories/feeds/readers/ca.test.ts': WHOLE_DOCUMENTS,
  'server/advisories/feeds/readers/cap.test.ts': WHOLE_DOCUMENTS,
  'server/advisories/feeds/readers/de.test.ts': WHOLE_DOCUMENTS,
  'server/advisories/feeds/readers/gdacs.test.ts': WHOLE_DOCUMENTS,
  'server/advisories/feeds/readers/hostile.test.ts': WHOLE_DOCUMENTS,
  'server/advisories/feeds/readers/mapped.test.ts': WHOLE_DOCUMENTS,
  'server/advisories/feeds/readers/uk.test.ts': WHOLE_DOCUMENTS,
  'server/advisories/feeds/readers/us.test.ts': WHOLE_DOCUMENTS,
  'server/advisories/replay.test.ts': WHOLE_DOCUMENTS,
  'server/assistant/attacks.test.ts': WHOLE_DOCUMENTS,
  'server/assistant/understanding/interpreter.test.ts': WHOLE_DOCUMENTS,
  'server/assistant/understanding/language-detector.test.ts': WHOLE_DOCUMENTS,
  'server/churches/import/import.test.ts': WHOLE_DOCUMENTS,
  'server/countries/reference.test.ts': WHOLE_DOCUMENTS,
  'server/assistant/lexicon/lexicon.test.ts': 'languages that are written without spaces have no single words',
  'server/backup/backup.test.ts': NO_SERVER,
  'server/backup/portability.test.ts': NO_SERVER,
  'server/db/connection.test.ts': NO_SERVER,
  'server/db/rights.test.ts': NO_SERVER,
  'server/delivery/dispatcher.test.ts': NO_SERVER,
  'server/db/full-disk.test.ts': 'needs a file system of its own, which the machine must let it make',
  'server/db/power-cut.test.ts': 'needs a file system of its own, which the machine must let it make',
  'server/delivery/providers/contracts.test.ts': 'runs with the mock server of the published contracts, by PRISM_CLI',
  'server/db/lock.test.ts': LINUX,
  'server/priority.test.ts': LINUX,
  'server/env.test.ts': NOT_ROOT,
  'scripts/testing/deploy.test.ts': OPTIONAL_PROGRAM,
  'e2e/advisories/advisories-admin.spec.ts': NO_SERVER,
  'e2e/nodes.spec.ts': NO_SERVER,
  'e2e/notifications/push.spec.ts': ONE_BROWSER,
}

/** Skipped tests that nobody gave a reason for. */
class Skips {
  readonly unexplained: string[] = []

  add(file: string, name: string): void {
    const relative = path.relative(process.cwd(), file).split(path.sep).join('/')
    if (!ALLOWED_SKIPS[relative]) this.unexplained.push(`${relative} > ${name}`)
  }

  /** True where the run has to fail. */
  report(): boolean {
    if (!process.env.CI || this.unexplained.length === 0) return false
    console.error(`\nSkipped without a reason in scripts/testing/skips.ts:\n  ${this.unexplained.join('\n  ')}`)
    return true
  }
}

/** For Vitest. */
export class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skips = new Skips()
    for (const module of modules)
      for (const test of module.children.allTests('skipped')) skips.add(module.moduleId, test.fullName)
    if (skips.report()) process.exitCode = 1
  }
}

/** For Playwright. A test that did not run because one before it failed counts as skipped too: then the run is red. */
export default class JourneySkipReporter implements JourneyReporter {
  readonly #skips = new Skips()

  onTestEnd(test: Journey, result: TestResult): void {
    if (result.status === 'skipped') this.#skips.add(test.location.file, test.title)
  }

  onEnd(): Promise<{ status?: 'failed' } | undefined> {
    return Promise.resolve(this.#skips.report() ? { status: 'failed' } : undefined)
  }
}
