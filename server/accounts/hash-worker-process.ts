import { argon2Sync } from 'node:crypto'

const TAG_BYTES = 32

/** Cost of argon2id: memory in KiB. */
export interface HashParameters {
  memory: number
  passes: number
  parallelism: number
}

/** One password to hash; the reply carries the same id. */
export interface HashQuestion extends HashParameters {
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

process.on('message', ({ id, password, nonce, memory, passes, parallelism }: HashQuestion) => {
  const tag = argon2Sync('argon2id', {
    message: Buffer.from(password.normalize('NFKC')),
    nonce: Buffer.from(nonce, 'base64'),
    tagLength: TAG_BYTES,
    ...{ memory, passes, parallelism },
  })
  // Without a parent process the channel closes and this process exits.
  process.send?.({ id, tag: tag.toString('base64') } satisfies HashAnswer, undefined, undefined, () => {})
})
// The portal ends this process; a signal to the whole group must not interrupt a sign-in in progress.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit(0))
