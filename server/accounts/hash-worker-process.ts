import { argon2Sync } from 'node:crypto'

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** One password to hash; the reply carries the same id. */
export interface HashQuestion {
  id: number
  password: string
  /** Base64. */
  nonce: string
}
export interface HashAnswer {
  id: number
  /** Base64. */
  tag: string
}

process.on('message', ({ id, password, nonce }: HashQuestion) => {
  const tag = argon2Sync('argon2id', {
    message: Buffer.from(password.normalize('NFKC')),
    nonce: Buffer.from(nonce, 'base64'),
    ...PARAMETERS,
  })
  // Without a parent process the channel closes and this process exits.
  process.send?.({ id, tag: tag.toString('base64') } satisfies HashAnswer, undefined, undefined, () => {})
})
// The portal ends this process; a signal to the whole group must not interrupt a sign-in in progress.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit(0))
