import path from 'node:path'
import type { Readable } from 'node:stream'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import type { Settings } from '#server/env.ts'
import type { Bucket } from '#shared/files/buckets.ts'

export type Store = Disk

/** Storage of file contents: in the data directory, or in an S3-compatible bucket. */
export async function openStore({ files, dataDir }: Pick<Settings, 'files' | 'dataDir'>): Promise<Store> {
  if (!files) return new Disk(new FSDriver({ location: path.join(dataDir, 'files'), visibility: 'private' }))
  const { S3Driver } = await import('flydrive/drivers/s3')
  return new Disk(
    new S3Driver({
      bucket: files.bucket,
      region: process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? 'us-east-1',
      visibility: 'private',
      supportsACL: false,
      maxAttempts: 3,
      requestHandler: { connectionTimeout: 5_000, requestTimeout: 20_000 },
      // S3-compatible services do not know the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(files.endpoint ? { endpoint: files.endpoint, forcePathStyle: true } : {}),
    }),
  )
}

/** Named by id only: no user input reaches the disk. */
export const keyOf = ({ bucket, id }: { bucket: Bucket; id: string }) => `${bucket}/${id}`

/** The bytes as a body that is opened on first read. */
export function bodyOf(store: Store, key: string): ReadableStream<Uint8Array> {
  let chunks: AsyncIterator<Uint8Array> | undefined
  let source: Readable | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!chunks) {
          source = await store.getStream(key)
          chunks = source[Symbol.asyncIterator]()
        }
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => void source?.destroy(),
    },
    { highWaterMark: 0 },
  )
}
