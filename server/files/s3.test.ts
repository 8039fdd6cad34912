import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { StoredFile } from '#shared/files/endpoints.ts'
import { sweepFiles } from './orphan-cleanup.ts'
import { openStore } from './store.ts'

/** The part of S3 that the portal uses, with the bucket in the path, on this machine. */
const objects = new Map<string, Buffer>()
const s3 = createServer(async (request, response) => {
  const url = new URL(request.url!, 'http://s3.invalid')
  const key = decodeURIComponent(url.pathname.replace(/^\/portal\/?/, ''))
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const found = objects.get(key)
  const source = request.headers['x-amz-copy-source']
  if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256')) response.writeHead(403).end()
  else if (key === '') {
    const rows = [...objects].map(
      ([name, bytes]) =>
        `<Contents><Key>${name}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>${bytes.length}</Size></Contents>`,
    )
    response.end(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${rows.join('')}</ListBucketResult>`,
    )
  } else if (request.method === 'PUT' && source) {
    objects.set(key, objects.get(decodeURIComponent(String(source)).replace(/^\/?portal\//, ''))!)
    response.end('<?xml version="1.0"?><CopyObjectResult><ETag>"x"</ETag></CopyObjectResult>')
  } else if (request.method === 'PUT') {
    objects.set(key, Buffer.concat(chunks))
    response.end()
  } else if (request.method === 'DELETE') {
    objects.delete(key)
    response.writeHead(204).end()
  } else if (!found) response.writeHead(404).end()
  else
    response
      .writeHead(200, { 'content-length': found.length, 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT', etag: '"x"' })
      .end(request.method === 'HEAD' ? undefined : found)
})
await new Promise<void>((listening) => s3.listen(0, '127.0.0.1', listening))
afterAll(() => {
  vi.unstubAllEnvs()
  s3.closeAllConnections()
  s3.close()
})
vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
const endpoint = `http://127.0.0.1:${(s3.address() as AddressInfo).port}`
const database = await testDatabase()
const store = await openStore({ files: { bucket: 'portal', endpoint }, dataDir: '/nowhere' })
const app = await testApp(database, { files: store })

test('files in an S3-compatible bucket are stored, read, copied, removed and cleaned up', async () => {
  const ana = await createTestUser(database, 'traveler')
  const ask = (method: string, path: string, body?: string | Uint8Array<ArrayBuffer>) =>
    app.request(`http://portal.test/api${path}`, {
      method,
      headers: { [AS]: ana.as, ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body } : {}),
    })
  const pdf = Buffer.from('%PDF-1.4\ntrailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n')
  const response = await ask('POST', '/files/upload?bucket=pdos-documents&path=a.pdf', new Uint8Array(pdf))
  const file = (await response.json()) as StoredFile
  expect([...objects.keys()]).toEqual([`pdos-documents/${file.id}`])
  expect(Buffer.from(await (await ask('GET', `/files/${file.id}`)).arrayBuffer())).toEqual(pdf)
  const copy = (await (await ask('POST', `/files/${file.id}/copy`, '{"path":"b.pdf"}')).json()) as StoredFile
  expect(Buffer.from(await (await ask('GET', `/files/${copy.id}`)).arrayBuffer())).toEqual(pdf)
  expect((await ask('DELETE', `/files/${file.id}`)).status).toBe(200)
  objects.set('avatars/00000000-0000-4000-8000-000000000000', Buffer.from('left over'))
  expect(await sweepFiles(database, store)).toBe(1)
  expect([...objects.keys()]).toEqual([`pdos-documents/${copy.id}`])
  objects.clear()
  expect((await ask('GET', `/files/${copy.id}`)).status).toBe(503)
})
