import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { createApp } from '#server/app.ts'
import type { AppDeps } from '#server/app-deps.ts'
import type { Database } from '#server/db/connection.ts'
import { openStore } from '#server/files/store.ts'
import { createLog } from '#server/log.ts'
import type { Role } from '#shared/roles.ts'

/** Header by which a test names the caller: "admin 0b5f…". Only this application reads it. */
export const AS = 'x-test-as'

/** The whole portal without pages on a test database; a header names the caller. */
export async function testApp(database: Database, deps: Partial<AppDeps> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'portal-test-'))
  const app = await createApp({
    database,
    log: createLog('silent'),
    mode: 'test',
    publicUrl: 'http://portal.test',
    secret: 'a secret that only tests may know of',
    readSession: (request, address) => {
      const [role, id] = (request.headers.get(AS) ?? '').split(' ')
      return { address, user: role && id ? { id, name: 'Test', role: role as Role } : null }
    },
    files: await openStore({ files: undefined, dataDir: folder }),
    ...deps,
  })
  afterAll(() => {
    app.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return app
}
