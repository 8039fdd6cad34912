import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { decrypted, type Encryption, encrypting } from './encryption.ts'
import { BackupError } from './error.ts'

/** Writes and syncs one backup file, readable by its owner only. Returns its size and hash as stored on disk. */
export async function writeBackupFile(
  folder: string,
  name: string,
  source: Readable | AsyncIterable<Buffer | string>,
  { encryption, isText = false }: { encryption: Encryption | null; isText?: boolean },
): Promise<{ bytes: number; sha256: string }> {
  const file = path.join(folder, name)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  let bytes = 0
  const counting = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  const steps: Transform[] = [
    ...(isText ? [createGzip({ level: 3 })] : []),
    ...(encryption ? [encrypting(encryption, name)] : []),
    counting,
  ]
  const written = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline([Readable.from(source), ...steps, written])
  return { bytes, sha256: hash.digest('hex') }
}

/** The decrypted bytes of one backup file. */
export const readBackupFile = async (folder: string, name: string, encryption: Encryption | null): Promise<Readable> =>
  encryption ? decrypted(encryption, path.join(folder, name), name) : createReadStream(path.join(folder, name))

/** The lines of a compressed backup file. */
export async function* readLines(folder: string, name: string, encryption: Encryption | null): AsyncGenerator<string> {
  const source = await readBackupFile(folder, name, encryption)
  const text = createGunzip()
  source.on('error', (error) => text.destroy(error))
  source.pipe(text)
  // Rows may contain Unicode line separators; only a line feed ends a line.
  text.setEncoding('utf8')
  let chunks: string[] = []
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      const lines = chunk.split('\n')
      const last = lines.pop() ?? ''
      for (const line of lines) {
        yield [...chunks, line].join('')
        chunks = []
      }
      chunks.push(last)
    }
  } catch (error) {
    throw new BackupError(`${name} cannot be read: ${(error as Error).message}. Use another backup.`)
  }
  const last = chunks.join('')
  if (last) yield last
}

/** Throws a readable error if a backup file is missing or does not match its manifest entry. */
export async function checkBackupFile(folder: string, name: string, expected: { bytes: number; sha256: string }) {
  const file = path.join(folder, name)
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new BackupError(`${name} is missing from this backup. Use another backup.`)
  if (found.size !== expected.bytes)
    throw new BackupError(
      `${name} has ${found.size} bytes and should have ${expected.bytes}: it was cut off or changed. Use another backup.`,
    )
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  if (hash.digest('hex') !== expected.sha256)
    throw new BackupError(`${name} is damaged: its hash is not that of the manifest. Use another backup.`)
}

/** Makes new names in a folder survive a power cut. Windows cannot open folders and does not need the call. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
