import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Settings } from '../env.ts'

/** The configured secret, or one that this machine makes once and keeps beside its data. */
export function secretOf({ authSecret, dataDir }: Pick<Settings, 'authSecret' | 'dataDir'>): string {
  if (authSecret) return authSecret
  const file = path.join(dataDir, 'auth-secret')
  mkdirSync(dataDir, { recursive: true })
  try {
    // Fails where it exists: of two processes that start together both take the first one's.
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8')
}
