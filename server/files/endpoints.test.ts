import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { type Claims, inBackground, withClaims } from '#server/db/claims.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { served } from '#server/testing/http-server.ts'
import { createTestUser, type TestUser } from '#server/testing/users.ts'
import { QUOTA_BYTES } from '#shared/files/buckets.ts'
import type { StoredFile } from '#shared/files/endpoints.ts'
import type { Role } from '#shared/roles.ts'
import { sweepFiles } from './orphan-cleanup.ts'
import { openStore } from './store.ts'

const database = await testDatabase()
const folder = mkdtempSync(path.join(tmpdir(), 'portal-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const store = await openStore({ files: undefined, dataDir: folder })
let clock = new Date()
const app = await testApp(database, { files: store, now: () => clock })
const server = await served(app)

const jpeg = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#1e40af' } })
  .jpeg()
  .toBuffer()
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n')
const ana = await createTestUser(database, 'traveler', { countries: ['JP'] })
const ben = await createTestUser(database, 'traveler')
const admin = await createTestUser(database, 'admin')

async function ask(who: TestUser | null, method: string, address: string, body?: unknown) {
  const isFile = body instanceof Uint8Array || body instanceof FormData
  return app.request(`http://portal.test/api${address}`, {
    method,
    headers: { ...(who ? { [AS]: who.as } : {}), ...(body && !isFile ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: isFile ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) } : {}),
  })
}
async function upload(who: TestUser | null, query: Record<string, string> = {}, bytes: Uint8Array = pdf) {
  const response = await ask(
    who,
    'POST',
    `/files/upload?${new URLSearchParams({ bucket: 'pdos-documents', ...query })}`,
    bytes,
  )
  return { status: response.status, ...((await response.json()) as StoredFile & { code?: string; error?: string }) }
}
const codeOf = async (response: Response | Promise<Response>) =>
  ((await (await response).json()) as { code?: string }).code
const countFiles = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

test('a user stores a file and reads it back, byte for byte, as a download that executes nowhere', async () => {
  const file = await upload(ana, { path: 'papers/جواز السفر.pdf' })
  expect(file).toMatchObject({ status: 201, path: 'papers/جواز السفر.pdf', name: 'جواز السفر.pdf', size: pdf.length })
  const response = await ask(ana, 'GET', `/files/${file.id}`)
  expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), pdf)).toBe(0)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringMatching(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''%D8/),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  const again = await app.request(`http://portal.test/api/files/${file.id}`, {
    headers: { [AS]: ana.as, 'if-none-match': response.headers.get('etag')! },
  })
  expect(again.status).toBe(304)
})

test('a form without scripts uploads its one file and its name', async () => {
  const form = new FormData()
  form.set('note', 'ignored')
  form.set('file', new File([new Uint8Array(jpeg)], 'me.html', { type: 'text/html' }))
  const response = await ask(ana, 'POST', '/internal/uploads?bucket=avatars', form)
  expect(response.status).toBe(201)
  expect(await response.json()).toMatchObject({ name: 'me.webp', content_type: 'image/webp' })
  const none = new FormData()
  none.set('file', new File([], ''))
  expect(await codeOf(ask(ana, 'POST', '/files/upload?bucket=avatars', none))).toBe('one_file')
  const torn = await app.request('http://portal.test/api/files/upload?bucket=avatars', {
    method: 'POST',
    headers: { [AS]: ana.as, 'content-type': 'multipart/form-data; boundary=x' },
    body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
  })
  expect(await codeOf(torn)).toBe('malformed_form')
})

test('a name with a path, an unknown bucket and a wrong type leave nothing behind', async () => {
  const before = countFiles()
  for (const bad of ['../../etc/passwd', '/x', 'a\0b', 'a\\b'])
    expect(await upload(ana, { path: bad })).toMatchObject({ status: 422, code: 'invalid_input' })
  expect((await upload(ana, { bucket: 'secrets' })).status).toBe(422)
  expect(await upload(ana, {}, Buffer.from('<svg onload=alert(1)>'))).toMatchObject({
    status: 415,
    error: 'File type not allowed',
  })
  expect(await codeOf(ask(null, 'POST', '/files/upload?bucket=avatars', jpeg))).toBe('sign_in')
  expect(countFiles()).toBe(before)
})

test("reading stops when a file exceeds its bucket's limit", { timeout: 20_000 }, async () => {
  expect(await upload(ana, { bucket: 'avatars' }, Buffer.alloc(5 * 1024 * 1024 + 1))).toMatchObject({
    status: 413,
    error: 'File is too large (max 5 MB)',
  })
  expect(await pour(new URL(server.url), 40)).toMatchObject({ answer: expect.stringContaining('413'), isCut: true })
})

/** Streams a file of this many megabytes without a content length; stops when it is answered or cut off. */
function pour({ hostname, port }: URL, megabytes: number): Promise<{ answer: string; isCut: boolean }> {
  const socket = connect(Number(port), hostname)
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')])
  let answer = ''
  let left = megabytes * 16
  socket.on('data', (data) => {
    answer += data
  })
  socket.write(
    `POST /api/files/upload?bucket=avatars HTTP/1.1\r\nhost: portal.test\r\n${AS}: ${ana.as}\r\ntransfer-encoding: chunked\r\n\r\n`,
  )
  return new Promise((done) => {
    const finish = () => {
      clearInterval(timer)
      socket.destroy()
      done({ answer, isCut: left > 0 })
    }
    const timer = setInterval(() => {
      if (answer !== '' || left === 0) return finish()
      if (socket.writableNeedDrain) return
      left--
      socket.write(chunk)
    }, 1)
    socket.on('error', finish)
    socket.on('close', finish)
  })
}

test('one path holds one file, also for concurrent uploads', async () => {
  const before = countFiles()
  const both = await Promise.all([upload(ben, { path: 'same.pdf' }), upload(ben, { path: 'same.pdf' })])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  expect(both.find(({ status }) => status === 409)).toMatchObject({ code: 'path_taken' })
  expect(countFiles()).toBe(before + 1)
})

test('a full folder accepts nothing more, also for concurrent uploads', async () => {
  const cara = await createTestUser(database, 'traveler')
  await inBackground(database, 'test', (db) =>
    db
      .insertInto('stored_files')
      .values({
        bucket: 'avatars',
        owner_id: cara.id,
        path: 'big',
        name: 'big',
        content_type: 'image/webp',
        sha256: '',
        size: QUOTA_BYTES - pdf.length - 5,
      })
      .execute(),
  )
  const three = await Promise.all([upload(cara), upload(cara), upload(cara)])
  expect(three.map(({ status }) => status).sort()).toEqual([201, 413, 413])
})

test('users list, move, copy and empty their own folder', async () => {
  const dan = await createTestUser(database, 'traveler')
  const first = await upload(dan, { path: 'one.pdf' })
  const moved = await ask(dan, 'POST', `/files/${first.id}/move`, { path: 'two.pdf' })
  expect(await moved.json()).toMatchObject({ id: first.id, path: 'two.pdf' })
  const copied = (await (await ask(dan, 'POST', `/files/${first.id}/copy`, { path: 'three.pdf' })).json()) as StoredFile
  expect(copied).toMatchObject({ path: 'three.pdf', size: pdf.length })
  expect(Buffer.from(await (await ask(dan, 'GET', `/files/${copied.id}`)).arrayBuffer())).toEqual(pdf)
  expect(await codeOf(ask(dan, 'POST', `/files/${first.id}/move`, { path: 'three.pdf' }))).toBe('path_taken')
  expect(await codeOf(ask(dan, 'POST', `/files/${first.id}/copy`, { path: '../x' }))).toBe('invalid_input')
  const listed = await (await ask(dan, 'GET', '/files?bucket=pdos-documents&per_page=1')).json()
  expect(listed).toMatchObject({ total: 2, per_page: 1, used_bytes: 2 * pdf.length, quota_bytes: QUOTA_BYTES })
  const before = countFiles()
  expect((await ask(dan, 'DELETE', `/files/${copied.id}`)).status).toBe(200)
  expect(countFiles()).toBe(before - 1)
  expect(await codeOf(ask(dan, 'GET', `/files/${copied.id}`))).toBe('file_not_found')
})

test('nobody else reads, signs, moves, copies or removes a file; it is not found', async () => {
  const { id } = await upload(ana)
  for (const who of [ben, await createTestUser(database, 'member'), await createTestUser(database, 'local_servant')]) {
    expect(await codeOf(ask(who, 'GET', `/files/${id}`))).toBe('file_not_found')
    expect(await codeOf(ask(who, 'POST', `/files/${id}/sign`))).toBe('file_not_found')
    expect(await codeOf(ask(who, 'POST', `/files/${id}/move`, { path: 'mine' }))).toBe('file_not_found')
    expect(await codeOf(ask(who, 'POST', `/files/${id}/copy`, { path: 'mine' }))).toBe('file_not_found')
    expect(await codeOf(ask(who, 'DELETE', `/files/${id}`))).toBe('file_not_found')
  }
  expect(await codeOf(ask(null, 'GET', `/files/${id}`))).toBe('sign_in')
  expect((await ask(ana, 'GET', `/files/${id}`)).status).toBe(200)
})

test('reviewers see documents of users in their own countries, and each view is audited', async () => {
  const { id } = await upload(ana)
  const reviewer = await createTestUser(database, 'pdos_coordinator')
  expect((await ask(reviewer, 'GET', `/files/${id}`)).status).toBe(200)
  expect((await ask(reviewer, 'POST', `/files/${id}/sign`)).status).toBe(200)
  for (const [method, address, body] of [
    ['POST', `/files/${id}/move`, { path: 'mine' }],
    ['POST', `/files/${id}/copy`, { path: 'mine' }],
    ['DELETE', `/files/${id}`, undefined],
  ] as const)
    expect(await codeOf(ask(reviewer, method, address, body))).toBe('file_not_found')
  const trace = await inBackground(database, 'test', (db) =>
    db.selectFrom('audit_log').select(['action', 'actor_id']).where('subject_id', '=', id).orderBy('id').execute(),
  )
  expect(trace).toEqual([
    { action: 'file.read', actor_id: reviewer.id },
    { action: 'file.sign', actor_id: reviewer.id },
  ])
  await ask(ana, 'GET', `/files/${id}`)
  expect(
    await inBackground(database, 'test', (db) =>
      db.selectFrom('audit_log').selectAll().where('actor_id', '=', ana.id).execute(),
    ),
  ).toEqual([])
})

test('a signed URL opens its one file without a session, for ten minutes', async () => {
  const { id } = await upload(ana)
  const other = await upload(ana)
  const signed = (await (await ask(ana, 'POST', `/files/${id}/sign`)).json()) as { url: string; expires_at: string }
  expect(new Date(signed.expires_at).valueOf() - clock.valueOf()).toBe(600_000)
  const open = (url: string) => app.request(url)
  expect((await open(signed.url)).status).toBe(200)
  const until = Number(new URL(signed.url).searchParams.get('until'))
  for (const changed of [
    signed.url.replace(id, other.id),
    signed.url.replace(`until=${until}`, `until=${until + 60}`),
    signed.url.slice(0, -1) + (signed.url.endsWith('A') ? 'B' : 'A'),
    signed.url.replace(/signature=.*/, 'signature='),
  ])
    expect(await codeOf(open(changed))).toBe('link_expired')
  clock = new Date(clock.valueOf() + 601_000)
  expect(await codeOf(open(signed.url))).toBe('link_expired')
  clock = new Date()
  await ask(ana, 'DELETE', `/files/${id}`)
  expect(await codeOf(open(signed.url))).toBe('file_not_found')
})

test('only an admin sees the contents of the buckets', async () => {
  expect(await codeOf(ask(ana, 'GET', '/files/buckets'))).toBe('forbidden')
  const { buckets } = (await (await ask(admin, 'GET', '/files/buckets')).json()) as {
    buckets: { name: string; files: number }[]
  }
  expect(buckets.map(({ name }) => name)).toEqual([
    'avatars',
    'pdos-documents',
    'chapter-photos',
    'inquiry-attachments',
  ])
  expect(buckets[1]!.files).toBeGreaterThan(0)
})

test('without any handler check the table policies protect the files of others', async () => {
  const { id } = await upload(ana, { path: 'guarded.pdf' })
  const scoped = (role: Role, countries: string[]): Claims => ({
    as: 'user',
    userId: randomUUID(),
    role,
    scope: { countries, chapters: null },
  })
  const rowsFor = (claims: Claims) =>
    withClaims(database, claims, (db) => db.selectFrom('stored_files').selectAll().where('id', '=', id).execute())
  expect(await rowsFor({ as: 'user', userId: ben.id, role: 'traveler' })).toEqual([])
  expect(await rowsFor({ as: 'user', userId: ben.id, role: 'local_servant' })).toEqual([])
  expect(await rowsFor(scoped('pdos_coordinator', ['SA']))).toEqual([])
  expect(await rowsFor(scoped('pdos_coordinator', ['JP']))).toHaveLength(1)
  await expect(rowsFor({ as: 'anonymous' })).rejects.toMatchObject({ code: '42501' })
  for (const claims of [
    { as: 'user', userId: ben.id, role: 'traveler' },
    scoped('mfa_coordinator', ['JP']),
  ] as Claims[]) {
    const changed = await withClaims(database, claims, (db) => sql`update stored_files set path = 'taken'`.execute(db))
    const removed = await withClaims(database, claims, (db) =>
      sql`delete from stored_files where id = ${id}`.execute(db),
    )
    expect([changed.numAffectedRows ?? 0n, removed.numAffectedRows ?? 0n].map(Number)[1]).toBe(0)
    const forged = withClaims(database, claims, (db) =>
      db
        .insertInto('stored_files')
        .values({
          bucket: 'avatars',
          owner_id: ana.id,
          path: randomUUID(),
          name: 'x',
          content_type: 'image/png',
          sha256: '',
          size: 1,
        })
        .execute(),
    )
    await expect(forged).rejects.toMatchObject({ code: '42501' })
  }
  expect(await rowsFor({ as: 'user', userId: ana.id, role: 'traveler' })).toMatchObject([{ path: 'guarded.pdf' }])
})

test('a failing store returns an error and leaves no row', async () => {
  // A file where a folder is expected.
  const broken = await openStore({ files: undefined, dataDir: import.meta.filename })
  const failing = await testApp(database, { files: broken })
  const count = () =>
    inBackground(database, 'test', (db) => db.selectFrom('stored_files').select('id').execute()).then(
      (rows) => rows.length,
    )
  const before = await count()
  const response = await failing.request('http://portal.test/api/files/upload?bucket=pdos-documents', {
    method: 'POST',
    headers: { [AS]: ana.as },
    body: pdf,
  })
  expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([503, 'File upload failed'])
  expect(await count()).toBe(before)
})

test('bytes without a row are removed after an hour', async () => {
  const { id } = await upload(ana)
  await store.put(`avatars/${randomUUID()}`, 'left over')
  expect(await sweepFiles(database, store)).toBe(0)
  const before = countFiles()
  expect(await sweepFiles(database, store, new Date(Date.now() + 3_700_000))).toBe(1)
  expect(countFiles()).toBe(before - 1)
  expect((await ask(ana, 'GET', `/files/${id}`)).status).toBe(200)
  expect(await sweepFiles(database, await openStore({ files: undefined, dataDir: path.join(folder, 'nowhere') }))).toBe(
    0,
  )
})
