import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Small files that take longest: they start processes and databases, or wait. Vitest begins with the largest files until
 * it has measured them, so one of these would end the first run alone.
 */
export const SLOW = [
  'scripts/testing/start.test.ts',
  'server/delivery/dispatcher.test.ts',
  'server/backup/portability.test.ts',
  'server/http/scope-pages.test.ts',
  'server/http/scope-writes.test.ts',
  'server/accounts/outdated-proofs.test.ts',
  'server/readmodel/cached-responses.test.ts',
  'server/cli.test.ts',
  'server/cli/accounts.test.ts',
  'server/cli/backup.test.ts',
  'server/accounts/sign-ins/shared-address.test.ts',
  'server/accounts/sign-ins/lockout.test.ts',
  'server/imports/files/read-file.test.ts',
  'server/db/power-cut.test.ts',
  'server/db/full-disk.test.ts',
  'server/http/scope-reads.test.ts',
  'server/http/page-guards.test.ts',
  'server/backup/job.test.ts',
]

/** Runs the slow files first. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) =>
      SLOW.includes(path.relative(process.cwd(), moduleId).split(path.sep).join('/'))
    const { slow = [], other = [] } = Object.groupBy(await super.sort(files), (file) =>
      isSlow(file) ? 'slow' : 'other',
    )
    return [...slow, ...other]
  }
}
