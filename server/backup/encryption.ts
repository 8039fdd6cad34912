import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { type Readable, Transform } from 'node:stream'
import { BackupError } from './error.ts'

/**
 * AES-256-GCM per file, with keys derived from a passphrase by scrypt. A file consists of nonce, ciphertext and tag.
 */
export interface Encryption {
  salt: Buffer
  fileKey: Buffer
  sealKey: Buffer
}

export const SALT_BYTES = 16
const MIN_PASSPHRASE = 12
const NONCE_BYTES = 12
const TAG_BYTES = 16
// Fixed rather than read from the backup, so that a manifest cannot demand all available memory.
const COST: ScryptOptions = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 }

export async function keysOf(passphrase: string, salt: Buffer = randomBytes(SALT_BYTES)): Promise<Encryption> {
  if (passphrase.length < MIN_PASSPHRASE)
    throw new BackupError(`The passphrase must be at least ${MIN_PASSPHRASE} characters.`)
  const keys = await new Promise<Buffer>((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, 64, COST, (error, key) => (error ? reject(error) : resolve(key))),
  )
  return { salt, fileKey: keys.subarray(0, 32), sealKey: keys.subarray(32) }
}

/** Encrypts a stream. The file name is authenticated too, so files of a backup cannot be swapped. */
export function encrypting({ fileKey }: Encryption, name: string): Transform {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', fileKey, nonce).setAAD(Buffer.from(name))
  let hasBegun = false
  const begin = (stream: Transform) => {
    if (!hasBegun) stream.push(nonce)
    hasBegun = true
  }
  return new Transform({
    transform(chunk, _, done) {
      begin(this)
      done(null, cipher.update(chunk))
    },
    flush(done) {
      begin(this)
      this.push(cipher.final())
      done(null, cipher.getAuthTag())
    },
  })
}

/** The plaintext of an encrypted file. It is authenticated only once the stream ends without an error. */
export async function decrypted({ fileKey }: Encryption, file: string, name: string): Promise<Readable> {
  const handle = await open(file)
  let size: number
  const [nonce, tag] = [Buffer.alloc(NONCE_BYTES), Buffer.alloc(TAG_BYTES)]
  try {
    size = (await handle.stat()).size
    if (size < NONCE_BYTES + TAG_BYTES) throw new BackupError(`${name} is cut off. Use another backup.`)
    await handle.read(nonce, 0, NONCE_BYTES, 0)
    await handle.read(tag, 0, TAG_BYTES, size - TAG_BYTES)
  } finally {
    await handle.close()
  }
  const decipher = createDecipheriv('aes-256-gcm', fileKey, nonce).setAAD(Buffer.from(name)).setAuthTag(tag)
  const end = size - TAG_BYTES - 1
  if (end < NONCE_BYTES) {
    decipher.end()
    return decipher
  }
  const source = createReadStream(file, { start: NONCE_BYTES, end })
  source.on('error', (error) => decipher.destroy(error))
  return source.pipe(decipher)
}

/** Reads the passphrase from a file, without the trailing line break. */
export async function readPassphrase(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new BackupError(`Cannot read the passphrase file: ${error.message}`)
  })
  return text.replace(/\r?\n$/, '')
}
